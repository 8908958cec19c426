"""Find or create the Spark session: that of a frame, the active one, or a new one."""

import os
import shutil
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gainful.base import import_package
from gainful.errors import SparkError
from gainful.spark.failures import translate_errors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_OLDEST = (4, 0)
# What a session on this machine needs to work without a network.
_LOCAL_SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "FATAL",  # errors are turned into sentences
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_CONNECT_TIMEOUT = 10  # seconds that a server has to answer


def check_pyspark() -> None:
    """Raise an error if PySpark or PyArrow is missing, or PySpark too old."""
    pyspark = import_package("pyspark", "spark", install="'gainful[spark]'")
    import_package("pyarrow", "spark", install="'gainful[spark]'")
    version = pyspark.__version__
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
        message = (
            f"spark: PySpark must be 4.0 or newer, got {version}. "
            "Install it with: pip install 'gainful[spark]'"
        )
        raise SparkError(message, code="missing-package")


def get_session(spark: object, frames: "list[Any]") -> "SparkSession":
    """Return the session passed, else that of a frame, else the active one, else a new one.

    Args:
        spark: What the user passed as ``spark``; may be None.
        frames: DataFrames that will be read.
    """
    check_pyspark()
    if spark is not None:
        if not hasattr(spark, "createDataFrame"):
            message = f"spark: must be a SparkSession, got {spark!r:.60}."
            raise SparkError(message, code="wrong-type")
        return spark
    if frames:
        return frames[0].sparkSession
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() or _create_session()


def _create_session() -> "SparkSession":
    """Create a session; if none is configured, one on this machine."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("gainful")
    if _is_configured():
        _check_server(os.environ.get("SPARK_REMOTE", ""))
        with translate_errors():
            return builder.getOrCreate()
    _check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in _LOCAL_SETTINGS.items():
        builder = builder.config(name, value)
    with translate_errors():
        return builder.getOrCreate()


def _check_server(address: str) -> None:
    """Raise an error if no server answers at the address: PySpark would try for ten minutes."""
    server = urlsplit(address)
    if server.scheme != "sc" or server.hostname is None:
        return
    try:
        socket.create_connection((server.hostname, server.port or 15002), _CONNECT_TIMEOUT).close()
    except (OSError, ValueError) as error:  # a ValueError for a port that is not a number
        reason = str(getattr(error, "strerror", None) or error).lower()
        # Only the host and port: a token may follow.
        redacted = f"sc://{server.netloc}"
        message = f"spark: nothing answers at {redacted} ({reason}). SPARK_REMOTE names the server."
        raise SparkError(message, code="no-spark-session") from None


def _is_configured() -> bool:
    """Return True if spark-submit, a variable or a settings file says where a session should be."""
    variables = ("PYSPARK_GATEWAY_PORT", "SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "MASTER")
    if any(name in os.environ for name in variables):
        return True
    if "--master" in os.environ.get("PYSPARK_SUBMIT_ARGS", ""):
        return True
    home = os.environ.get("SPARK_HOME", "")
    folder = os.environ.get("SPARK_CONF_DIR") or (Path(home) / "conf" if home else None)
    settings = None if folder is None else Path(folder) / "spark-defaults.conf"
    return (
        settings is not None
        and settings.is_file()
        and any(line.startswith("spark.master") for line in settings.read_text().splitlines())
    )


def _check_java() -> None:
    """Raise an error if no session can be made on this machine."""
    from pyspark.util import is_remote_only

    if is_remote_only():
        message = (
            "spark: there is no session, and PySpark without Java cannot make one. Set "
            "SPARK_REMOTE=sc://HOST:15002, or make one first in Python: "
            "SparkSession.builder.remote('sc://HOST:15002').getOrCreate()"
        )
        raise SparkError(message, code="no-spark-session")
    home = os.environ.get("JAVA_HOME")
    java = Path(home) / "bin" / "java" if home else "java"
    if shutil.which(java) is None:
        raise SparkError(NO_JAVA, code="no-spark-session")


NO_JAVA = (
    "spark: there is no Java to run Spark on this machine. Install Java 17 or newer, or use a "
    "Spark server: pip install 'gainful[spark-connect]', then SPARK_REMOTE=sc://HOST:15002, or "
    "spark=SparkSession.builder.remote('sc://HOST:15002').getOrCreate()"
)


def is_local(session: "SparkSession") -> bool:
    """Return True if paths without a scheme are paths of this machine."""
    from pyspark.sql.utils import is_remote

    if is_remote() or not str(session.conf.get("spark.master", "")).startswith("local"):
        return False
    return str(session.conf.get("spark.hadoop.fs.defaultFS", "file:")).startswith("file:")
