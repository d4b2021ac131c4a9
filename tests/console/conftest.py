"""Pages are opened in this process: what every one of them would find again is found once."""

from __future__ import annotations

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(autouse=True, scope="session")
def _packages_are_looked_through_once():
    """Streamlit looks through all installed packages for each ``AppTest``; it takes 0.1 s."""
    found = cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found())
        yield
