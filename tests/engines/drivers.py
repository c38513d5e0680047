"""Two browsers that the other tests have not: Firefox and WebKit, each by its own remote control.

Firefox is asked by Marionette, which it has built in, and WebKit by WebDriver; the commands are the
same, WebDriver's. Both run on this machine alone, with a profile that is thrown away.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

PATIENCE = 60  # seconds, on a machine that has much to do
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name for the id of an element
QUIET = {  # no services of its own, which would ask the network
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
}


NEEDED = "Debian's packages firefox-esr, webkit2gtk-driver and xvfb"


class Missing(Exception):
    """A program that an engine needs is not on this machine."""

    def __init__(self, name):
        super().__init__(f"{name} must be on this machine: {NEEDED} have what is needed")


def _program(*names):
    """The first of these that there is."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise Missing(names[-1])
    return found


def _until(what, ask):
    """Ask again and again, and give back the first answer."""
    end = time.monotonic() + PATIENCE
    while not (answer := ask()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what} must come within {PATIENCE} s")
        time.sleep(0.1)
    return answer


class Engine:
    """A browser with one window; ``tell`` is how it gets a command."""

    def tell(self, command, path, **values):
        raise NotImplementedError

    def open(self, address):
        self.tell("Navigate", "url", url=address)

    def run(self, script, *values):
        """What a script returns."""
        return self.tell("ExecuteScript", "execute/sync", script=script, args=list(values))

    def wait(self, script, *values):
        """Until a script returns something."""
        return _until(script, lambda: self.run(script, *values))

    def type(self, selector, text):
        """Type into the field, or choose the file."""
        place = {"using": "css selector", "value": selector}
        element = self.tell("FindElement", "element", **place)[ELEMENT]
        self.tell("ElementSendKeys", f"element/{element}/value", id=element, text=text)

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def picture(self):
        """The window, as PNG in base64."""
        return self.tell("TakeScreenshot", "screenshot", full=False)


class Firefox(Engine):
    """By Marionette: a length, a colon and JSON, over a socket."""

    def __init__(self, folder, stack):
        program = _program("firefox", "firefox-esr")
        prefs = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in QUIET.items())
        Path(folder, "user.js").write_text("".join(prefs), "utf-8")
        command = [program, "--headless", "--marionette", "--profile", folder, "--no-remote"]
        stack.enter_context(_running(command, HOME=folder, MOZ_CRASHREPORTER_DISABLE="1"))
        port = Path(folder, "MarionetteActivePort")
        number = int(_until("Firefox", lambda: port.exists() and port.read_text("utf-8").strip()))
        self.line = stack.enter_context(socket.create_connection(("127.0.0.1", number), PATIENCE))
        self._read()  # who it is
        self.count = 0
        self.tell("NewSession", "")

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            length += self.line.recv(1)
        text = b""
        while len(text) < int(length[:-1]):
            text += self.line.recv(int(length[:-1]) - len(text))
        return json.loads(text)

    def tell(self, command, path, **values):
        self.count += 1
        said = json.dumps([0, self.count, f"WebDriver:{command}", values])
        self.line.sendall(f"{len(said)}:{said}".encode())
        _, _, wrong, answer = self._read()
        if wrong:
            raise RuntimeError(wrong["message"])
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer


class WebKit(Engine):
    """By WebDriver, in a window that nobody sees."""

    def __init__(self, folder, stack):
        driver, screen = _program("WebKitWebDriver"), _program("Xvfb")
        browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        if not browsers:
            raise Missing("MiniBrowser")
        display = _free_display()
        command = [screen, display, "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        stack.enter_context(_running(command))
        port = _free_port()
        show = {"DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "HOME": folder}
        stack.enter_context(_running([driver, f"--port={port}"], **show))
        self.address = f"http://127.0.0.1:{port}/session"
        _until("WebKit", lambda: _listens(port))
        options = {"binary": str(browsers[-1]), "args": ["--automation"]}
        asked = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self.tell("NewSession", "", capabilities=asked)
        self.address += f"/{session['sessionId']}/"
        stack.callback(self._send, "DELETE", "")

    def _send(self, method, path, values=None):
        body = None if values is None else json.dumps(values).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def tell(self, command, path, **values):
        get = command == "TakeScreenshot"
        return self._send("GET" if get else "POST", path, None if get else values)


@contextlib.contextmanager
def _running(command, **environment):
    """A program that ends with us."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    program = subprocess.Popen(command, env=os.environ | environment, **silent)
    try:
        yield program
    finally:
        program.terminate()
        program.wait(PATIENCE)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def _free_display():
    taken = {path.name for path in Path("/tmp/.X11-unix").glob("X*")}
    return next(f":{number}" for number in range(90, 200) if f"X{number}" not in taken)


ENGINES = {"firefox": Firefox, "webkit": WebKit}
