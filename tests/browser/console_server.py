"""A console on a free port of this machine over a fresh workspace, and a browser to drive it."""

from __future__ import annotations

import os
import re
import socket
import time
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import served
from tests.forked import Forked

CHROMIUM = "/usr/bin/chromium"
SHOTS = Path(__file__).resolve().parents[1] / "shots"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--no-first-run", "--disable-sync"]  # fmt: skip
NOISE = ("_stcore/host-config", "_stcore/health")
"""Streamlit looks for its own base path below the page's; the 404 is its way to find out."""

PATIENCE_MS = 30_000
"""How long a slow machine may take to answer one press."""

LOOKED_MS = 450
"""How long a card stands still before a key is pressed: the first 400 ms of it take no press."""

STILL = """
quiet => {
  const app = document.querySelector('[data-testid="stApp"]');
  const still = app?.dataset.testScriptState === "notRunning"
    && app.dataset.testConnectionState === "CONNECTED"
    && window.memoryConsoleHeldKeys === true
    && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]');
  window.stillSince = still ? window.stillSince ?? performance.now() : undefined;
  return still && performance.now() - window.stillSince >= quiet;
}
"""
"""The script has run, all it drew is drawn, keys are listened to, and so it stays for a while."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(home: Path, *, wait_s: float | None = None):
    """Serve ``home`` and yield its address; ends only the process that was started here.

    ``wait_s`` shortens the minute in which a forget run can be cancelled.
    """
    port = free_port()
    process = Forked(
        served.serve, port, wait_s, environment=os.environ | {"MEMORY_CONSOLE_HOME": str(home)}
    )
    try:
        address = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        break
            except OSError:
                if time.monotonic() > until or not process.running:
                    raise
                time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.ended(20)


class Watched:
    """A page of the browser with everything it asked for and complained about."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.outside: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda one: self._asked(one.url))
        page.on("console", lambda one: self._said(one))
        page.on("pageerror", lambda one: self.complaints.append(str(one)))

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.outside.append(url)

    def _said(self, message) -> None:
        told = f"{message.text} {message.location.get('url', '')}"
        if message.type == "error" and not any(word in told for word in NOISE):
            self.complaints.append(told)

    def open(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")
        self.page.wait_for_selector(".stMainBlockContainer h1", timeout=60_000)
        self.settle()

    def settle(self, quiet: int = 350) -> None:
        """Wait until the page has stood still, with all its elements drawn, for ``quiet`` ms."""
        self.page.evaluate("window.stillSince = undefined")
        self.page.wait_for_function(STILL, arg=quiet, polling=25, timeout=60_000)

    def key(self, key: str, says: str = "") -> None:
        """One press as a person makes it: after having looked.

        With ``says``, the line of results has to say it afterwards and not before, so a press
        that got lost fails here. It is never made again.
        """
        self.settle(LOOKED_MS)
        if says:
            assert says not in self.said(), f"said before {key} was pressed: {self.said()}"
        self.page.keyboard.press(key)
        if says:
            self.hears(says)

    def hears(self, words: str) -> None:
        """Wait until the line of results says ``words``."""
        expect(self.page.locator(".st-key-said")).to_contain_text(words, timeout=PATIENCE_MS)

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until ``true`` tells so; ``what`` is what was waited for."""
        last = time.monotonic() + PATIENCE_MS / 1000
        while not true():
            assert time.monotonic() < last, f"{what}: not within {PATIENCE_MS / 1000:.0f} s"
            self.page.wait_for_timeout(50)

    def shot(self, name: str) -> Path:
        SHOTS.mkdir(exist_ok=True)
        path = SHOTS / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    def said(self) -> str:
        return self.page.locator(".st-key-said").inner_text()


@contextmanager
def chromium():
    """A browser; ended in the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def watching(browser: Browser, address: str):
    """A page of its own. What fails meanwhile is raised with the path of a screenshot."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    seen = Watched(context.new_page(), address)
    try:
        yield seen
    except BaseException as error:
        test = os.environ.get("PYTEST_CURRENT_TEST", "a test").rpartition("::")[2]
        shot = seen.shot(f"failed-{re.sub('[^a-z0-9]+', '-', test.lower())[:80]}")
        error.add_note(f"The page as it was then: {shot}")
        raise
    finally:
        context.close()


@contextmanager
def browsing(address: str):
    """A browser of its own with one page."""
    with chromium() as browser, watching(browser, address) as seen:
        yield seen
