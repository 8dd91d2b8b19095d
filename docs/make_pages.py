"""Makes what the README and the documentation show: pictures, a day, a story, a reason. Real output, nothing by hand.

    python docs/make_pages.py [RUN]        (`make pictures`; without RUN: lives the default scenario, seed 0, first)

Writes docs/pictures/*.png and docs/a-day.md, and renews what stands between the marks of README.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DAY = "Isabella Rodriguez"
LINES = 46


def town(*words: str) -> str:
    """What `town WORDS` prints."""
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy", "COLUMNS": "110", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *words], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


def between(text: str, mark: str, new: str) -> str:
    """A page with what stands between its two marks replaced."""
    block = f"<!-- {mark} -->\n```\n{new.rstrip()}\n```\n<!-- end of {mark} -->"
    return re.sub(rf"<!-- {mark} -->.*?<!-- end of {mark} -->", lambda _: block, text, flags=re.S)


def shots(run: str) -> None:
    """The pictures of the town and of the window."""
    subprocess.run([sys.executable, str(ROOT / "docs" / "make_pictures.py"), run], cwd=ROOT, check=True)


def plots(run: str, folder: Path) -> None:
    """The report's network and news plots."""
    town("report", run, "--out", str(folder))
    for name in ("network.png", "news.png"):
        shutil.copy(folder / name, PICTURES / name)


def pages(run: str) -> None:
    """The README's blocks and the page of one day."""
    from simulation.storing.runfile import RunFile
    from studies import story

    with RunFile.open(run) as opened:
        told = story(opened)
    plain = town("log", run, "--resident", DAY).splitlines()
    second = next((i for i, line in enumerate(plain) if re.match(r"\w+day 20", line) and i > 5), len(plain))
    day = "\n".join(plain[:second])
    (ROOT / "docs" / "a-day.md").write_text(
        f"# A day\n\nEvidence: **offline**. The first day of {DAY} in the `valentine` scenario, seed 0, as "
        "`town log --resident isabella`\ntells it, whole and unedited (written by `make pictures`).\n\n"
        f"```\n{day.rstrip()}\n```\n"
    )
    with RunFile.open(run) as opened:
        said = opened.rows(
            "SELECT resident || '/' || step || '/' || n FROM utterances WHERE act IN ('decline', 'invite') AND rests_on != '[]'"
            " ORDER BY act, step LIMIT 1"
        )
    why = town("why", run, f"words:{said[0][0]}") if said else ""
    readme = (ROOT / "README.md").read_text()
    readme = between(readme, "story", told)
    readme = between(readme, "log", "\n".join(plain[:LINES]))
    readme = between(readme, "why", "\n".join(why.splitlines()[:40]))
    (ROOT / "README.md").write_text(readme)


def main() -> None:
    """Everything."""
    with tempfile.TemporaryDirectory() as folder:
        run = sys.argv[1] if len(sys.argv) > 1 else str(Path(folder) / "pictures.town")
        if len(sys.argv) < 2:
            town("run", "--seed", "0", "--out", run, "--quiet")
        shots(run)
        plots(run, Path(folder) / "report")
        pages(run)


if __name__ == "__main__":
    main()
