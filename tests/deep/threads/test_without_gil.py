"""Free-threaded Python: the native core must not switch the GIL on."""

import subprocess
import sys
import sysconfig

import pytest

CODE = """if True:
    import sys
    import gainful
    scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}, ["nDCG@10", "AP"])
    print(sys._is_gil_enabled(), scores["nDCG@10"])
"""


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the GIL"
)
def test_the_gil_stays_off_when_gainful_is_used():
    # Warnings are errors: Python warns where a module switches the GIL on.
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True
    )
    assert (result.stdout, result.stderr) == ("False 0.6309297535714575\n", "")
