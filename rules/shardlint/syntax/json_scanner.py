"""One tolerant scanner for JSON and hjson: always a tree, with faults and marks beside it.

What the plain half does not take is read here token by token, with the repairs half-typed text needs:

- a string without its closing quote ends where the next key starts, else at its line end;
- a quoted text or word before a colon at the start of a line is a key, whatever was open there;
- a value without its opening bracket opens an implied container.

`IndentScanner` (json_repair) reads a text again whose brackets do not balance. Nodes that stand on a
repair are `guessed`. No recursion: open containers are frames on a stack.
"""

from __future__ import annotations

from shardlint.syntax import json_scanner_tokens as tokens
from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.json_scanner_plain import MAX_DEPTH, MAX_MARKS, NEEDED, OPENED, Frame
from shardlint.syntax.json_scanner_values import ValueScanner, short
from shardlint.syntax.template import is_bare_placeholder, placeholder_end
from shardlint.syntax.tree import Mapping, Scalar, Sequence, Span

MAX_REPAIRS = 2 * MAX_DEPTH + 10
"""Containers opened or closed at one place without reading on, after which a character is skipped."""

MAX_FAULTS = 1_000
"""Faults above which a text is no config worth reading on."""


class Scanner(ValueScanner):
    """Reads `document.text` once; the results are `root`, `faults`, `marks` and `comments`.

    `unbalanced` says that brackets do not pair up, so that indentation is the better guide.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.unbalanced = False

    def run(self) -> None:
        at, repairs = 0, 0
        while True:
            at = self.skip(at if at < self.swallowed else self.stretch(at))
            if at >= self.size:
                break
            if len(self.faults) > MAX_FAULTS or len(self.marks) > MAX_MARKS:
                self._give_up("too-broken", at, "the file has too many faults up to here")
                break
            after = self.step(at)
            repairs = repairs + 1 if after == at else 0
            at = after if repairs < MAX_REPAIRS else at + 1
        self._finish()

    def step(self, at: int) -> int:
        """Read one token that is neither blank nor comment; where the next one may start."""
        frame = self.stack[-1] if self.stack else None
        if frame is None:
            return self._first(at) if self.root is None else self._after_root(at)
        if frame.key is not None:
            return self._member_value(at, frame, frame.key)
        return self._item(at) if frame.pairs is None else self._member(at, frame)

    # -- the root ------------------------------------------------------------------------------

    def _first(self, at: int) -> int:
        char = self.text[at]
        if char in "}],:":
            self.fault("unexpected-text", at, at + 1, f"the file starts with `{char}`")
            return at + 1
        if char not in "{[" and tokens.KEY_AHEAD.match(self.text, at):
            self.marks.append(Mark("no-root-braces", Span(at, at)))
            self.root = Mapping(Span(at, at), [])
            self.push(at, self.root, None).implied = True
            return at
        return self._value(at, "")

    def _after_root(self, at: int) -> int:
        char = self.text[at]
        self.unbalanced = True
        if char in "}]":
            self.closes_nothing(at)
            return at + 1
        root = self.root
        if isinstance(root, Mapping) and (char == "," or tokens.KEY_AHEAD.match(self.text, at)):
            self._reopen_root(root, at)
            return at
        self.fault("text-after-root", at, self.line_end(at), "text follows after the end of the file's value")
        return self.size

    def _reopen_root(self, root: Mapping, at: int) -> None:
        end = root.span.end
        if not (self.faults and self.faults[-1].span.start >= end):
            message = f"this `}}` ends the file's object, but more keys follow on line {self.row(at)}"
            self.fault("unexpected-closer", end - 1, end, message, Span(at, at + 1))
        frame = self.push(root.span.start, root, None, guess=True)
        frame.comma, frame.end = NEEDED, end
        root.guessed = True

    # -- inside an object ----------------------------------------------------------------------

    def _member(self, at: int, frame: Frame) -> int:
        """A key, a comma or a closing bracket."""
        char = self.text[at]
        if char == ",":
            return self._comma(at, frame)
        if char in "}]":
            return self.close(at)
        if char == ":":
            self.fault("unexpected-colon", at, at + 1, "no key before this colon")
            return at + 1
        end = placeholder_end(self.text, at)
        if end > at and not self.text.startswith(":", end):
            self.marks.append(Mark("template", Span(at, end)))
            return end
        if char in "{[":
            return self._value(at, "no key before this bracket")
        return self._key(at, frame)

    def _key(self, at: int, frame: Frame) -> int:
        text = self.text
        key, end = self._quoted_key(at) if text[at] in "\"'" else self._bare_key(at)
        after = self.skip(end)
        has_colon = text.startswith(":", after)
        if not has_colon and key.style == "plain":
            if is_bare_placeholder(key.raw):
                self.marks.append(Mark("template", key.span))
                return after
            if not self.first_on_line(at):
                self.fault("unexpected-text", at, end, f"`{short(key.raw)}` is neither a key nor a value")
                return after
        self._missing_comma(at, frame)
        self._note_key(key, frame)
        frame.key = key
        if has_colon:
            return after + 1
        self.fault("missing-colon", at, end, f"no colon after the key `{short(key.text)}`")
        key.guessed = True
        if text.startswith("=", after):
            return after + 1
        if after >= self.size or self.row(after) != self.row(end):
            self._settle(frame)
        return after

    def _quoted_key(self, at: int) -> tuple[Scalar, int]:
        token = tokens.key_string(self.text, at)
        return self.string(at, token), token.end

    def _bare_key(self, at: int) -> tuple[Scalar, int]:
        found = tokens.KEY_WORD.match(self.text, at)
        end = found.end() if found else at + 1
        raw = self.text[at:end]
        name = max(raw.replace("'", '"').split('"'), key=len) or raw
        if name != raw:
            self.marks.append(Mark("stray-quote", Span(at, end)))
        elif not is_bare_placeholder(raw):
            self.marks.append(Mark("unquoted-key", Span(at, end)))
        return Scalar(Span(at, end), raw, name, guessed=name != raw), end

    def _note_key(self, key: Scalar, frame: Frame) -> None:
        first = frame.seen.setdefault(key.text, key.span)
        if first is not key.span and not (frame.guess or key.guessed):
            self.marks.append(Mark("duplicate-key", key.span, first))

    def _member_value(self, at: int, frame: Frame, key: Scalar) -> int:
        """What follows a colon."""
        text = self.text
        char = text[at]
        if char in ",}]":
            self._no_value(frame, key)
            return at
        if char == ":":
            self.fault("unexpected-colon", at, at + 1, f"a second colon after the key `{short(key.text)}`")
            return at + 1
        if self.row(at) != self.row(key.span.end):
            if self.first_on_line(at) and tokens.KEY_AHEAD.match(text, at):
                if self.column(at) > self.column(key.span.start):
                    self._imply(at, key)
                else:
                    self._no_value(frame, key)
                return at
        elif char in "\"'" and tokens.QUOTED_KEY_AHEAD.match(text, at):
            self._imply(at, key)
            return at
        return self._value(at, "")

    def _no_value(self, frame: Frame, key: Scalar) -> None:
        if not key.guessed:
            self.fault("missing-value", *key.span, f"no value after the key `{short(key.text)}`")
        self._settle(frame)

    def _settle(self, frame: Frame) -> None:
        """Give a key that waits for its value the value `missing`."""
        if frame.key is not None:
            end = frame.key.span.end
            self.attach(Scalar(Span(end, end), "", "", "missing", guessed=True))

    # -- inside a list -------------------------------------------------------------------------

    def _item(self, at: int) -> int:
        text, frame = self.text, self.stack[-1]
        char = text[at]
        if char == ",":
            return self._comma(at, frame)
        if char in "}]":
            return self.close(at)
        if char == ":":
            self.fault("unexpected-colon", at, at + 1, "a colon in a list")
            return at + 1
        if self.first_on_line(at):
            if tokens.KEY_AHEAD.match(text, at) and self.row(at) != self.row(frame.start):
                return self._key_in_list(at, frame)
        elif char in "\"'" and tokens.QUOTED_KEY_AHEAD.match(text, at):
            self._imply(at, None)
            return at
        self._missing_comma(at, frame)
        return self._value(at, "")

    def _key_in_list(self, at: int, frame: Frame) -> int:
        if self.column(at) > self.column(frame.start):
            self._imply(at, None)
            return at
        self.unbalanced = True
        self.close_unclosed(at)
        if not self.stack:
            self.root = Mapping(Span(at, at), [], guessed=True)
            self.push(at, self.root, None, guess=True).implied = True
        return at

    # -- commas and brackets -------------------------------------------------------------------

    def _comma(self, at: int, frame: Frame) -> int:
        if frame.comma == OPENED:
            self.fault("extra-comma", at, at + 1, "a comma before the first value")
        elif frame.comma >= 0:
            self.fault("extra-comma", at, at + 1, "a second comma")
        else:
            frame.comma = at
        return at + 1

    def _missing_comma(self, at: int, frame: Frame) -> None:
        if frame.comma == NEEDED and not (frame.pairs and frame.pairs[-1].guessed):
            self.marks.append(Mark("missing-comma", Span(frame.end, frame.end), Span(at, at + 1)))

    def close(self, at: int) -> int:
        """A closing bracket at `at`."""
        frame = self.stack[-1]
        fits = (frame.pairs is not None) == (self.text[at] == "}")
        if fits and not self._is_bare_root(frame):
            if frame.comma >= 0:
                self.marks.append(Mark("trailing-comma", Span(frame.comma, frame.comma + 1)))
            self.pop(at + 1)
            return at + 1
        self.unbalanced = True
        depth = self.innermost(at)
        if depth < 0:
            self.closes_nothing(at)
            return at + 1
        while len(self.stack) > depth + 1:
            self.close_unclosed(at)
        self.pop(at + 1)
        return at + 1

    def innermost(self, at: int) -> int:
        """The index in the stack of the innermost container that the bracket at `at` can close, or -1."""
        wants_object = self.text[at] == "}"
        for depth in range(len(self.stack) - 1, -1, -1):
            frame = self.stack[depth]
            if (frame.pairs is not None) == wants_object and not self._is_bare_root(frame):
                return depth
        return -1

    def close_unclosed(self, at: int) -> None:
        """End the innermost container, whose closing bracket is missing before `at`."""
        frame = self.stack[-1]
        self._settle(frame)
        if not frame.implied:
            opener = self.text[frame.start]
            message = f"`{opener}` is not closed before line {self.row(at)}"
            self.fault("unclosed-bracket", frame.start, frame.start + 1, message, Span(at, at + 1))
        self.pop(max(frame.end, frame.start))
        frame.node.guessed = True
        if frame.pair is not None:
            frame.pair.guessed = True
        for outer in self.stack:
            outer.guess = True

    def closes_nothing(self, at: int) -> None:
        self.fault("unexpected-closer", at, at + 1, f"this `{self.text[at]}` closes nothing")

    def _is_bare_root(self, frame: Frame) -> bool:
        return frame.implied and frame is self.stack[0]

    def _imply(self, at: int, key: Scalar | None) -> None:
        """Open an object whose `{` is missing before the key at `at`."""
        after = f" after the key `{short(key.text)}`" if key else ""
        self.fault("missing-bracket", at, at + 1, f"`{{` is missing{after}")
        node = Mapping(Span(at, at), [], guessed=True)
        pair = self.attach(node)
        outer = self.stack[-1].start
        frame = self.push(key.span.start if key else outer, node, pair, guess=True)
        frame.implied = True

    # -- values --------------------------------------------------------------------------------

    def _value(self, at: int, without_key: str) -> int:
        """Read the value at `at` into the innermost container; `without_key` tells that no key awaits it."""
        text = self.text
        if without_key:
            self.fault("unexpected-text", at, at + 1, without_key)
            self.stack[-1].key = Scalar(Span(at, at), "", "", "missing", guessed=True)
        end = placeholder_end(text, at)
        char = text[at]
        if end > at:
            scalar = self.placeholder(at, end)
        elif char in "{[":
            return self._open(at)
        elif char in "\"'":
            scalar = self.quoted_value(at)
        else:
            scalar = self.word(at)
        self.attach(scalar)
        return scalar.span.end

    def _open(self, at: int) -> int:
        if len(self.stack) >= MAX_DEPTH:
            self._give_up("too-deep", at, f"brackets are nested more than {MAX_DEPTH} deep here")
            return self.size
        guess = self.guessing(at)
        node: Mapping | Sequence = (
            Mapping(Span(at, at), [], guessed=guess)
            if self.text[at] == "{"
            else Sequence(Span(at, at), [], guessed=guess)
        )
        pair = self.attach(node)
        self.push(at, node, pair, guess)
        return at + 1

    def _give_up(self, code: str, at: int, reason: str) -> None:
        """Stop at a limit of ours: what was read stays, every open container ends where its content does."""
        self.faults.append(Fault(code, Span(at, at + 1), f"{reason}; nothing after it was read", limit=True))
        while self.stack:
            self._settle(self.stack[-1])
            self.pop(max(self.stack[-1].end, self.stack[-1].start))

    def _finish(self) -> None:
        if self.root is None and not self.faults:
            self.marks.append(Mark("empty", Span(0, 0)))
        open_frames = [frame for frame in self.stack if not frame.implied]
        if open_frames:
            self.unbalanced = True
            start = open_frames[-1].start
            more = len(open_frames) - 1
            around = (
                f" (nor are the {more} brackets around it)"
                if more > 1
                else " (nor is the one around it)"
                if more
                else ""
            )
            message = f"`{self.text[start]}` is not closed before the end of the file{around}"
            self.fault("unclosed-bracket", start, start + 1, message, Span(self.size, self.size))
        while self.stack:
            frame = self.stack[-1]
            self._settle(frame)
            if not self._is_bare_root(frame):
                frame.node.guessed = True
            self.pop(max(frame.end, frame.start))
