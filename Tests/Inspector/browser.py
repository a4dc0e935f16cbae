"""A host that serves its page, and a browser for it."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
VIEWS = ["links", "values", "services", "changes"]


class Host:
    """`glass-host inspect` over a copy of the real markets."""

    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="inspector-"))
        self.markets = self.folder / "markets"
        shutil.copytree(REPOSITORY / "markets", self.markets)
        self.options = options
        self.process = None

    def commit(self):
        """Turns the folder into a repository with the current markets."""
        for arguments in (["init", "--quiet"], ["add", "markets"], ["commit", "--quiet", "--message", "base"]):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false",
                            *arguments], cwd=self.folder, check=True)

    def start(self):
        self.process = subprocess.Popen(
            [os.environ["GLASS_HOST"], "inspect", *self.options], cwd=self.folder, stdout=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(self.folder), "HOME": str(self.folder)})
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url
        self.base = self.url.split("#")[0]
        return self

    def change(self, market, old, new):
        """Saves a market like most editors do: a new file replaces the old one."""
        file = self.markets / f"{market}.lua"
        text = file.read_text()
        assert old in text
        copy = self.folder / "saved"
        copy.write_text(text.replace(old, new))
        moment = time.time()
        copy.rename(file)
        return moment

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)


class Page:
    """A browser with a host's page."""

    def __init__(self, size=(1280, 800)):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--lang=en-US", f"--window-size={size[0]},{size[1] + 143}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def scheme(self, name):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def open(self, host, view="links", wait=True):
        """Logs in with the token, then shows a view, which may have parameters."""
        self.driver.get("about:blank")
        self.driver.get(host.url)
        self.until("document.getElementById('main').dataset.view === 'links'")
        if view != "links":
            self.go(view, wait)

    def go(self, view, wait=True):
        name = view.split("?")[0]
        self.driver.execute_script(
            "document.getElementById('main').removeAttribute('data-view'); "
            "if (location.hash === arguments[0]) dispatchEvent(new HashChangeEvent('hashchange')); "
            "else location.hash = arguments[0]", f"#{view}")
        if wait:
            self.until(f"document.getElementById('main').dataset.view === '{name}'")

    def until(self, condition, seconds=15):
        return WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(
            lambda driver: driver.execute_script(f"return {condition}"), message=condition)

    def text(self, selector="main"):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def width(self, pixels=None):
        """Shows the page on a phone of this width or, without one, in the window."""
        if pixels:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": pixels, "height": 844, "deviceScaleFactor": 1, "mobile": True})
        else:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def heard(self):
        """The roles and names that a screen reader gets, in its order, from Chromium's accessibility tree."""
        nodes = {node["nodeId"]: node for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]}
        heard = []

        def walk(node):
            role, name = node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")
            if not node.get("ignored") and role not in ["none", "generic", "InlineTextBox"]:
                heard.append((role, " ".join(name.split())))
            for child in node.get("childIds", []):
                if child in nodes:
                    walk(nodes[child])

        walk(next(node for node in nodes.values() if "parentId" not in node))
        return heard

    def messages(self):
        return self.driver.get_log("browser")

    def quit(self):
        self.driver.quit()
