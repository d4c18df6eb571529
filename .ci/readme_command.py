"""Print the first or second shell command of the README, as written there."""

import re
import sys
from pathlib import Path

readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
commands = re.findall(r"^```sh\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
print(commands[int(sys.argv[1]) - 1])
