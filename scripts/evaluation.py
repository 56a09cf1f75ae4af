"""What scripts/evaluate-*.py have in common: their options, a folder for the sounds they make, and a library of these."""

import argparse
import pathlib
import subprocess


class Evaluation:
    """The command line of an evaluation, and the folder in which it works."""

    def __init__(self, description, inputs, **options):
        """`inputs` names the positional arguments; `options` are others with a default, as (default, help)."""
        parser = argparse.ArgumentParser(description=description.split("\n")[0])
        parser.add_argument("--deadwax", default="bin/deadwax")
        parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for sounds and the library")
        for name, (default, text) in options.items():
            parser.add_argument(f"--{name}", type=type(default), default=default, help=text)
        parser.add_argument(inputs, nargs="+")
        self.options = parser.parse_args()
        self.inputs = getattr(self.options, inputs)
        self.deadwax, self.work = self.options.deadwax, self.options.work
        self.sounds, self.library = self.work / "sounds", self.work / "library.sqlite"
        self.sounds.mkdir(parents=True, exist_ok=True)

    def scan(self, *products):
        """Computes products of all sounds."""
        kinds = [word for product in products for word in ("--product", product)]
        subprocess.run([self.deadwax, "scan", "-q", "-L", self.library, *kinds, self.sounds], check=True)
