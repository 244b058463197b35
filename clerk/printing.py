"""The minutes as PDF: the page of HTML, set by weasyprint where the extra is installed, with every address refused."""

from __future__ import annotations

from typing import Any, NoReturn

from clerk.errors import DeskError

MISSING = (
    "The minutes as PDF need weasyprint: install it with `pip install 'boardroom[pdf]'`, or take --format html and print that."
)
INSTALL = "install Pango (apt-get install libpango-1.0-0 libpangoft2-1.0-0), or take --format html and print that."


def html_pdf(html: str) -> bytes:
    """A page of ours as PDF. Nothing is fetched. DeskError where weasyprint, or a library that it needs, is missing."""
    try:
        import weasyprint
        from weasyprint.urls import URLFetcher
    except ImportError:
        raise DeskError(MISSING) from None
    except OSError as error:  # it is installed, and Pango is not
        from parliament.text import brief

        raise DeskError(f"weasyprint lacks a library of the system ({brief(str(error), 80)}): {INSTALL}") from None

    class Refusing(URLFetcher):
        """No page of ours names an address; should one, it is not asked."""

        def fetch(self, url: str, headers: Any = None) -> NoReturn:
            raise ValueError("no address is asked for")

    made = weasyprint.HTML(string=html, url_fetcher=Refusing()).write_pdf()
    assert isinstance(made, bytes)
    return made
