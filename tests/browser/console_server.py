"""A console on a free port of this machine over a fresh workspace, and a browser to drive it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from console import server

CHROMIUM = "/usr/bin/chromium"
SHOTS = Path(__file__).resolve().parents[1] / "shots"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--no-first-run", "--disable-sync"]  # fmt: skip
NOISE = ("_stcore/host-config", "_stcore/health")
"""Streamlit looks for its own base path below the page's; the 404 is its way to find out."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(home: Path):
    """Serve ``home`` and yield its address; ends only the process that was started here."""
    port = free_port()
    process = subprocess.Popen(
        server.command(port),
        env=os.environ | {"MEMORY_CONSOLE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
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
                if time.monotonic() > until or process.poll() is not None:
                    raise
                time.sleep(0.2)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


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

    def settle(self, pause: int = 350) -> None:
        """Wait until the script has run and its elements are drawn."""
        self.page.wait_for_timeout(200)
        self.page.wait_for_selector(
            '[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000
        )
        self.page.wait_for_timeout(pause)

    def key(self, key: str) -> None:
        """One press as a person makes it: after having looked."""
        self.page.wait_for_timeout(450)
        self.page.keyboard.press(key)
        self.settle()

    def shot(self, name: str) -> None:
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")

    def said(self) -> str:
        return self.page.locator(".st-key-said").inner_text()


@contextmanager
def browsing(address: str):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield Watched(browser.new_page(viewport={"width": 1280, "height": 800}), address)
        finally:
            browser.close()
