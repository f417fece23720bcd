"""What can be written in a `# shardlint: ...` comment."""

from __future__ import annotations

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.schema.snippets import escaped
from shardlint_lsp.caret.pragma_word import NAME, START, VALUE, PragmaWord
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.proposal import Proposal, Topic
from shardlint_lsp.proposals.settings import named_settings
from shardlint_lsp.proposals.values import rules, setting_values

STYLE = "pragma"


def pragma_proposals(look: Look, word: PragmaWord, typed: str) -> list[Proposal]:
    """The word `shardlint`, facts, values of facts, or rules, by where in the comment the caret is."""
    if word.kind == START:
        return [Proposal("shardlint:", Kind.Keyword, "shardlint: ", "facts or ignore[rule]")]
    if word.kind == NAME:
        return [*_facts(word), Proposal("ignore", Kind.Keyword, "ignore[$1]", "silences a rule")]
    if word.kind == VALUE:
        return setting_values(look, word.name, typed, _bare, STYLE)
    return rules(typed, escaped)


def _facts(word: PragmaWord) -> list[Proposal]:
    made: list[Proposal] = []
    for setting in named_settings(""):
        example = setting.example.replace('"', "").replace(" ", "")
        insert = setting.name if word.followed else f"{setting.name}=${{1:{escaped(example)}}}"
        topic = Topic("setting", setting.name)
        made.append(Proposal(setting.name, Kind.Property, insert, setting.unit or setting.kind, topic))
    return made


def _bare(text: str) -> str:
    return escaped(f'"{text}"' if any(char in text for char in " ,[") else text)
