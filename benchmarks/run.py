"""All benchmarks, one after another: `make bench`."""

from __future__ import annotations

from benchmarks import branching, engine, retrieval, town


def main() -> None:
    """Prints every benchmark's table under its first line."""
    for module in (retrieval, engine, town, branching):
        print(f"\n{(module.__doc__ or '').splitlines()[0]}\n")
        module.main()


if __name__ == "__main__":
    main()
