"""What pages of the book cost on a phone: a table, printed.

A phone with a quarter of this machine's speed, 1.6 Mbit/s and 150 ms from page to server reads
plain files from a server on this machine, and does not scroll. `make book` first; the browser
is Debian's package chromium, or the path in --browser.

    python benchmarks/pages.py --runs 3
"""

import argparse
import functools
import http.server
import threading

from dpbook.places import BUILD
from playwright.sync_api import sync_playwright

PAGES = ["index", "chapters/fig-2", "your-file", "signing", "api"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LINE = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
WATCH = """
window.seen = { paint: 0, largest: 0, blocking: 0, shift: 0 };
const watch = (type, each) => new PerformanceObserver(
    list => list.getEntries().forEach(each)).observe({ type, buffered: true });
watch("paint", e => { if (e.name === "first-contentful-paint") seen.paint = e.startTime / 1000; });
watch("largest-contentful-paint", e => { seen.largest = e.startTime / 1000; });
watch("longtask", e => { seen.blocking += Math.max(0, e.duration - 50); });
watch("layout-shift", e => { if (!e.hadRecentInput) seen.shift += e.value; });
"""
READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd / 1000"
COLUMNS = {"KB": 0, "requests": 0, "paint s": 1, "largest s": 1, "ready s": 1}
COLUMNS |= {"blocking ms": 0, "shift": 3}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Plain files, without a line for each."""

    def log_message(self, *_):
        """Nothing."""


def visit(browser, address):
    """One visit of a page that is new to the phone, in the order of the columns."""
    context = browser.new_context(**PHONE)
    context.add_init_script(WATCH)
    page = context.new_page()
    sizes = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", LINE)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(1000)
    seen, ready = page.evaluate("seen"), page.evaluate(READY)
    context.close()
    times = [seen["paint"], seen["largest"], ready, seen["blocking"], seen["shift"]]
    return [sum(sizes) / 1000, len(sizes), *times]


def main():
    """Print the least of some visits of each page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("pages", nargs="*", default=PAGES)
    asked = parser.parse_args()
    handler = functools.partial(Quiet, directory=BUILD / "html")
    print(f"{'page':20}", *(f"{name:>11}" for name in COLUMNS))
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=asked.browser, args=["--no-sandbox"])
        for page in asked.pages:
            address = f"http://127.0.0.1:{server.server_port}/book/{page}.html"
            visits = [visit(browser, address) for _ in range(asked.runs)]
            least = map(min, zip(*visits))
            print(f"{page:20}", *(f"{m:11.{d}f}" for m, d in zip(least, COLUMNS.values())))
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
