"""Whether letters can be drawn here: a bare machine may have no font at all."""

import pytest

from plenilune.bots.chart import picture, png
from plenilune.core.errors import BadSetting


def _has_font() -> bool:
    try:
        return bool(png(picture(100, 100, "letters")))
    except BadSetting:
        return False


needs_font = pytest.mark.skipif(not _has_font(), reason="this machine has no font to draw letters with")
