"""A package, so that no other package of this name, which some libraries install, is taken for it."""
