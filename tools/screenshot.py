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
        _take(page, "report.png")
        page.goto(f"{address}#q={QUERY}")
        page.locator("#query .growth svg").wait_for()
        _resize(page, *WIDE)
        _show(page, "#query")
        _take(page, "report-query.png")
        page.locator("#whatif").get_by_role("button", name="Do it").click()
        _resize(page, *SCREEN)
        _show(page, "#whatif")
        _take(page, "report-whatif.png")


def _resize(page: "Page", width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


def _show(page: "Page", selector: str) -> None:
    """Scroll an element to the top of the window; neither pointer nor focus is on anything."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.locator(selector).evaluate("one => one.scrollIntoView({ behavior: 'instant' })")


def _take(page: "Page", name: str) -> None:
    taken = IMAGES / name
    page.screenshot(path=taken, animations="disabled")
    if taken.stat().st_size > LARGEST:
        sys.exit(f"error: {taken} must be at most {LARGEST:,} bytes, got {taken.stat().st_size:,}.")
    print(f"{taken}: {taken.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
