"""Write the pictures of a report that the documentation shows: ``make screenshots``."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from chromium import explain_missing, launch

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = Path(__file__).parent.parent / "docs" / "images"
QUERY = "q06"  # hybrid, the best of the systems, does badly on it
SCREEN = (1200, 900)
WIDE = (1560, 1000)  # two rankings stand side by side
SCALE = 1
LARGEST = 250_000  # bytes of a picture: they are kept in the repository


def main() -> None:
    """Write the tour's report, open it, and take the pictures."""
    reason = explain_missing()
    if reason is not None:
        sys.exit(f"error: {reason}.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, launch() as browser:
        subprocess.run([sys.executable, "-m", "gainful", "demo"], cwd=folder, check=True)
        address = (Path(folder) / "demo-report.html").as_uri()
        page = browser.new_page(device_scale_factor=SCALE, reduced_motion="reduce")
        _resize(page, *SCREEN)
        page.goto(address)
        page.wait_for_function('performance.getEntriesByName("gainful-ready").length')
        _take_picture(page, "report.png")
        page.goto(f"{address}#q={QUERY}")
        page.locator("#query .growth svg").wait_for()
        _resize(page, *WIDE)
        _scroll_to(page, "#query")
        _take_picture(page, "report-query.png")
        page.locator("#whatif").get_by_role("button", name="Do it").click()
        _resize(page, *SCREEN)
        _scroll_to(page, "#whatif")
        _take_picture(page, "report-whatif.png")


def _resize(page: "Page", width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


def _scroll_to(page: "Page", selector: str) -> None:
    """Scroll an element to the top of the window, with pointer and focus on nothing."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.locator(selector).evaluate("element => element.scrollIntoView({ behavior: 'instant' })")


def _take_picture(page: "Page", name: str) -> None:
    path = IMAGES / name
    page.screenshot(path=path, animations="disabled")
    if path.stat().st_size > LARGEST:
        sys.exit(f"error: {path} must be at most {LARGEST:,} bytes, got {path.stat().st_size:,}.")
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
