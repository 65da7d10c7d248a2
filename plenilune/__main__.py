import sys

from plenilune.commands.main import main

sys.exit(main())
