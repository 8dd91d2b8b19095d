"""All benchmarks, one after another: `make bench`. What out of order gains is also written to `benchmarks/results/ahead.json`."""

from __future__ import annotations

from benchmarks import ahead, branching, engine, history, retrieval, town


def main() -> None:
    """Prints every benchmark's table under its first line."""
    print(f"\n{(ahead.__doc__ or '').splitlines()[0]}\n")
    ahead.main(["--seeds", "10", "--json", str(ahead.RESULTS / "ahead.json")])
    for module in (retrieval, engine, town, branching, history):
        print(f"\n{(module.__doc__ or '').splitlines()[0]}\n")
        module.main()


if __name__ == "__main__":
    main()
