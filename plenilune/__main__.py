import sys

from plenilune.cli import main

sys.exit(main())
