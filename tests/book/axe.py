"""What the checker axe objects to on a page, in either theme."""

from axe_playwright_python.sync_playwright import Axe

CONTRAST = {"runOnly": ["color-contrast"]}  # the one rule that a theme changes, and the slow one
REST = {"rules": {"color-contrast": {"enabled": False}}}


def violations(page, place=None, options=()):
    """Each rule that is broken, and its first place: on the whole page, or in a part of it."""
    options = {"resultTypes": ["violations"], "preload": False} | dict(options)
    response = Axe().run(page, place, options).response
    return [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in response["violations"]]


def switch(page, theme):
    """Change the theme, so that no colour is still fading."""
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)
