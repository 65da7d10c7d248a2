"""A server that may open few files: for the tests to use up."""

import resource
import sys

from plenilune import cli

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    sys.exit(cli.main(sys.argv[1:]))
