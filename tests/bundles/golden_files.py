"""Writes the golden bundles anew: ``python -m tests.bundles.golden_files``. Read what changed."""

from __future__ import annotations

from tests.bundles.test_bundle_files import GOLDEN, GOLDENS, made


def main() -> None:
    for name, given in GOLDENS.items():
        (GOLDEN / name).mkdir(parents=True, exist_ok=True)
        for file, data in made(*given).items():
            (GOLDEN / name / file).write_bytes(data)


if __name__ == "__main__":
    main()
