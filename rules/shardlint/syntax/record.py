"""`NamedTuple` as `typing` has it, in half the time.

`typing` compiles every annotation of every class when it is defined. Nothing here looks at annotations at
run time, and this package defines so many classes that this took a tenth of a cold start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Definition(type):
        """Makes a named tuple of a class body: annotated names are fields, everything else is kept."""

        def __new__(cls, name, bases, body):
            fields = body["__annotations__"]
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})
