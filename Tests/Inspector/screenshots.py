"""Writes the images of the guide: Tests/Inspector/run --screenshots DIR. With --all, writes each view in light and dark
mode, on a large and on a small screen."""
import pathlib
import sys
import time

from browser import VIEWS, Host, Page

PICTURES = {
    "inspect-cards.png": ("light", "links"),
    "inspect-link.png": ("light", "links?url=walmart.ca%3A%2F%2Fip%2F42"),
    "inspect-values.png": ("light", "values?market=ca&find=networking.retry&key=platform.networking.retry.maxRetries"),
    "inspect-services.png": ("dark", "services?market=ca&focus=Networking"),
}
if "--all" in sys.argv:
    PICTURES = {f"{view.split('?')[0]}{number}-{scheme}-{width}.png": (scheme, view, width)
                for number, view in enumerate(VIEWS + [
                    "links?url=walmart.ca%3A%2F%2Fcart", "values?market=ca&find=retry", "values?in=markets&find=retry",
                    "values?in=keys&find=retry", "changes?a=us&b=ca&find=retry"])
                for scheme in ["light", "dark"] for width in [1280, 390]}

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
host = Host().start()
page = Page((1280, 660))
try:
    page.open(host)
    for name, (scheme, view, *width) in PICTURES.items():
        page.scheme(scheme)
        page.width(width[0] if width == [390] else None)
        page.go(view)
        page.until("document.getElementById('connection').className === 'good'")
        time.sleep(0.3)
        page.driver.save_screenshot(str(folder / name))
        print(name, (folder / name).stat().st_size)
finally:
    page.quit()
    host.remove()
