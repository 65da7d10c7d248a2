import pytest

from tests.play import Setting, describe, settings


@pytest.fixture(params=settings(), ids=describe)
def setting(request: pytest.FixtureRequest) -> Setting:
    """Every game, number of seats and choice of options in turn."""
    chosen: Setting = request.param
    return chosen
