"""Games as WebAssembly modules: the same rules and the same search as natively, for pages that play without a server.

`python -m plenilune.wasm FOLDER` builds the modules and their index (`build.py`). Each is compiled by a process of its
own (`compile.py`), in which numba generates WebAssembly (`target.py`); `link.py` makes a module of that, `exports.py`
says what is in it and `manifest.py` how it is used.
"""
