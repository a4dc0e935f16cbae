"""Writes the images of the README: Tests/Inspector/run --screenshots DIR."""
import pathlib
import sys
import time

from browser import Host, Page

PICTURES = {
    "inspect-link.png": ("light", "link?url=walmart.ca%3A%2F%2Fip%2F42"),
    "inspect-values.png": ("light", "values?market=ca&find=networking.retry&key=platform.networking.retry.maxRetries"),
    "inspect-services.png": ("dark", "services?market=ca&focus=Networking"),
}

folder = pathlib.Path(sys.argv[1])
host = Host().start()
page = Page((1280, 660))
try:
    page.open(host)
    for name, (scheme, view) in PICTURES.items():
        page.scheme(scheme)
        page.go(view)
        page.until("document.getElementById('connection').className === 'good'")
        time.sleep(0.3)
        page.driver.save_screenshot(str(folder / name))
        print(name, (folder / name).stat().st_size)
finally:
    page.quit()
    host.remove()
