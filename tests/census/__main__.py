"""The census's command line: see README.md."""

from __future__ import annotations

import sys

from .commands import main

sys.exit(main())
