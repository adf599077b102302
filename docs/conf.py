"""The documentation as a site: `make docs` builds it, and takes a warning for an error."""

import re
import sys
import tomllib
from pathlib import Path

from sidestep import __version__

DOCS = Path(__file__).parent.resolve()
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = f"{PROJECT['urls']['Repository']}/blob/main"
sys.path.insert(0, str(DOCS.parent))  # for docs.teaching

project = "sidestep"
author = "the authors of sidestep"
version = release = __version__
html_title = f"sidestep {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.teaching"]
repository = REPOSITORY  # to which lines beside pseudocode lead
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # as on the pages of the repository
default_role = "code"  # what docstrings have in backticks

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes are described once, in the docstring of their class

html_theme = "furo"
html_copy_source = False
exclude_patterns = ["images/*.py", "teaching/*"]


def link_to_the_repository(_app, docname, source):
    """What a page links to outside this folder is not of the site: it is read in the repository."""
    folder = DOCS.joinpath(docname).parent

    def absolute(link):
        path = (folder / link[1]).resolve()
        inside = path.is_relative_to(DOCS) or not path.is_relative_to(DOCS.parent)
        return link[0] if inside else f"]({REPOSITORY}/{path.relative_to(DOCS.parent).as_posix()}{link[2]})"

    source[0] = re.sub(r"\]\((\.\./[^)#\s]*)((?:#[^)\s]*)?)\)", absolute, source[0])


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", link_to_the_repository)
