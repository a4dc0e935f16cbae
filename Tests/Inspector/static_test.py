"""The static pages of `glass-host inspect --as html` and the link sheet of its server. Run by Tests/Inspector/run."""
import base64
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from axe_selenium_python import Axe
from browser import REPOSITORY, Host, Page

PAGES = ["index.html", "ca.html"]
WIDTHS = [1280, 390]


@pytest.fixture(scope="module")
def folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pages-"))
    shutil.copytree(REPOSITORY / "markets", folder / "markets")
    subprocess.run([os.environ["GLASS_HOST"], "inspect", "--as", "html", "--to", "pages"], cwd=folder, check=True)
    yield folder / "pages"
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def page():
    page = Page()
    yield page
    page.quit()


def width(page, pixels):
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": pixels, "height": 844, "deviceScaleFactor": 1, "mobile": pixels < 600})


def violations(page):
    axe = Axe(page.driver)
    axe.inject()
    found = axe.run()["violations"]
    return axe.report(found) if found else ""


def overflow(page):
    return page.driver.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("pixels", WIDTHS)
def test_every_page_is_accessible_and_fits(page, folder, scheme, pixels):
    page.scheme(scheme)
    width(page, pixels)
    for name in PAGES:
        page.driver.get((folder / name).as_uri())
        assert violations(page) == "", name
        assert overflow(page) <= 0, name
        assert page.messages() == [], name


def names(page, roles):
    """What a screen reader reads, in its order."""
    page.driver.execute_cdp_cmd("Accessibility.enable", {})
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    known = {node["nodeId"]: node for node in nodes}
    found = []

    def visit(node):
        if not node.get("ignored") and node.get("role", {}).get("value") in roles:
            found.append((node["role"]["value"], node.get("name", {}).get("value", "")))
        for child in node.get("childIds", []):
            if child in known:
                visit(known[child])

    visit(nodes[0])
    return found


def test_a_screen_reader_reads_the_markets_in_order(page, folder):
    width(page, 1280)
    page.driver.get((folder / "index.html").as_uri())
    read = names(page, {"banner", "navigation", "main", "heading", "link"})
    assert read[:4] == [("link", "Skip to content"), ("banner", ""), ("heading", "Markets"), ("main", "")], read[:5]
    headings = [name for role, name in read if role == "heading"]
    assert headings == ["Markets", "Canada ca", "Flags", "Links to try", "México mx", "Flags", "Links to try",
                        "United States us", "Flags", "Links to try"], headings
    assert ("link", "All links of Canada") in read
    page.driver.get((folder / "ca.html").as_uri())
    read = names(page, {"banner", "navigation", "main", "heading", "link", "image"})
    assert read[1:4] == [("banner", ""), ("heading", "Canada ca"), ("navigation", "Pages")], read[:5]
    start = read.index(("heading", "ip/:itemID(int)"))
    assert read[start + 1:start + 5] == [
        ("image", "Code of the app link walmart.ca://ip/42"), ("link", "walmart.ca://ip/42"),
        ("image", "Code of the web link https://www.walmart.ca/ip/42"), ("link", "https://www.walmart.ca/ip/42"),
    ], read[start:start + 6]


def test_the_keyboard_reaches_every_link_in_the_order_of_the_page(page, folder):
    width(page, 1280)
    page.driver.get((folder / "ca.html").as_uri())
    order = page.driver.execute_script("return [...document.querySelectorAll('a[href]')].map((a) => a.textContent)")
    reached = []
    for _ in range(12):
        page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Tab", "code": "Tab",
                                                               "windowsVirtualKeyCode": 9})
        reached.append(page.driver.execute_script("return document.activeElement.textContent"))
    assert reached == order[:12]


def test_codes_are_read_from_paper(page, folder):
    """zbarimg reads each code of the printed sheet as a phone would; none is cut. Like a phone, it gets several pictures:
    of one, it now and then misses a code."""
    page.scheme("dark")
    page.driver.get((folder / "ca.html").as_uri())
    links = [link.text for link in page.all("figcaption .link")]
    assert len(set(links)) == len(links) == 72
    printed = folder.parent / "sheet.pdf"
    printed.write_bytes(base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]))
    read = set()
    for resolution in ["150", "200", "300"]:
        name = folder.parent / f"sheet-{resolution}"
        subprocess.run(["pdftoppm", "-r", resolution, "-png", printed, name], check=True)
        for picture in folder.parent.glob(f"{name.name}-*.png"):
            read.update(decoded(picture))
    assert sorted(read) == sorted(links)


def decoded(picture):
    run = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return run.stdout.split()


def test_the_server_sends_the_sheet_with_its_style(page):
    host = Host().start()
    try:
        page.scheme("light")
        width(page, 390)
        page.open(host)
        page.driver.get(f"{host.base}sheet?market=ca")
        assert "Item" in page.text() and "walmart.ca://ip/42" in page.text()
        assert page.driver.execute_script("return getComputedStyle(document.querySelector('.code')).maxWidth") == "170px"
        assert violations(page) == "" and overflow(page) <= 0
        assert page.messages() == []
        page.driver.get(f"{host.base}sheet?market=nowhere")
        assert "there is no market" in page.driver.page_source
        page.messages()
    finally:
        page.driver.get("about:blank")
        host.remove()
