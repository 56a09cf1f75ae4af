"""The example draws."""

import subprocess
import sys
from pathlib import Path

from program import COMMAND

SCRIPT = Path(__file__).parents[1] / "examples" / "plots.py"


def test_the_example_draws_four_plots(made, tmp_path):
    words = [sys.executable, SCRIPT, made, "state:ok", tmp_path / "plots.png"]
    subprocess.run(words, check=True, env={"DEADWAX": COMMAND, "MPLCONFIGDIR": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert (tmp_path / "plots.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "plots.png").stat().st_size > 50_000


def test_the_example_says_when_nothing_is_found(made, tmp_path):
    words = [sys.executable, SCRIPT, made, "title:nosuchtitle", tmp_path / "plots.png"]
    result = subprocess.run(
        words, env={"DEADWAX": COMMAND, "MPLCONFIGDIR": str(tmp_path)}, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert "nosuchtitle" in result.stderr
