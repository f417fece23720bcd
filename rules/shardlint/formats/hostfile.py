"""The hostfile of the DeepSpeed launcher: `worker-1 slots=8`, one node a line.

Source: DeepSpeed 0.19.8 `launcher/runner.py`. MPI hostfiles share the name and partly the syntax.
"""

from __future__ import annotations

import re

from shardlint.formats.reading import Reading
from shardlint.plan import DERIVED, Fact
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect

LINE = re.compile(r"^[^\S\r\n]*[^\s#]\S*[^\S\r\n]+slots=\d+", re.MULTILINE)
