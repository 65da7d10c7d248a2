"""Without another library, its interface says in one sentence what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
sys.modules[{package!r}] = None  # as if it were not installed
try:
    import plenilune.rl.{interface}
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("interface", "package", "title"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo"),
        ("pettingzoo", "gymnasium", "PettingZoo"),
        ("gymnasium", "gymnasium", "Gymnasium"),
        ("openspiel", "pyspiel", "OpenSpiel"),
    ],
)
def test_without_its_library_an_interface_says_what_to_install(interface: str, package: str, title: str) -> None:
    program = WITHOUT.format(package=package, interface=interface)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"plenilune.rl.{interface} needs {title}: pip install 'plenilune[{interface}]'\n"
