"""A server that may open few files: for the tests to use up."""

import resource
import sys

from plenilune.commands.main import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    sys.exit(main(sys.argv[1:]))
