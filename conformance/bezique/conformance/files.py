"""Case files: read, checked, and written in their one canonical form.

A file is YAML that any reader of JSON-like data can take: texts, whole numbers, truth
values, lists, mappings.  `canonical` writes it; a file that reads otherwise is out of form.

    $ python -m bezique.conformance.files    # bring every case file into form
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from bezique.conformance.case import Case, CaseFile, Excuse
from bezique.spec.data import data_folder

WIDTH = 110
ORDER = (
    "id", "why", "profiles", "options", "rules", "kind", "origin", "obeys", "breaks",
    "ask", "seat", "lenient", "given", "steps", "depth", "seen", "expected",
)  # fmt: skip
BLOCK = ("steps", "includes", "excludes", "exactly")


def cases_folder() -> Path:
    """Return the folder of the case files."""
    return data_folder(__file__, "cases")


def case_files() -> tuple[Path, ...]:
    """Return the case files in the order of their names, those in folders too."""
    return tuple(
        sorted(
            path
            for path in cases_folder().rglob("*.yaml")
            if path.name != "without.yaml"
        )
    )


def read(path: Path) -> CaseFile:
    """Return the cases of a file.

    Raises:
        ValueError: It is no YAML, or not in the shape of a case file.
    """
    return CaseFile.model_validate(_loaded(path))


@cache
def all_cases() -> tuple[Case, ...]:
    """Return every case of every file."""
    return tuple(case for path in case_files() for case in read(path).cases)


def excuses() -> tuple[Excuse, ...]:
    """Return why some references are never shown kept, or never broken."""
    items: list[object] = _loaded(cases_folder() / "without.yaml")
    return tuple(map(Excuse.model_validate, items))


def canonical(file: CaseFile) -> str:
    """Return the text of a case file in its one form."""
    head = yaml.safe_dump({"topic": file.topic}, width=WIDTH, allow_unicode=True)
    return head + "cases:\n" + "\n".join(_case_text(case) for case in file.cases)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a case file."""
    return CaseFile.model_json_schema()


def _loaded(path: Path) -> Any:  # noqa: ANN401
    # The loader in C reads the same and takes a tenth of the time, where there is one.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506


def _plain(case: BaseModel) -> dict[str, Any]:
    # What stands at its default is not written, but `null` that a case names is.
    written: dict[str, Any] = case.model_dump(mode="json", exclude_unset=True)
    return {key: written[key] for key in ORDER if key in written}


def _case_text(case: BaseModel) -> str:
    nodes = yaml.compose(
        yaml.safe_dump([_plain(case)], sort_keys=False, allow_unicode=True)
    )
    assert isinstance(nodes, yaml.SequenceNode)  # noqa: S101  (a list was dumped)
    _style(nodes, block=True)
    for name, value in nodes.value[0].value:
        wide = name.value in BLOCK or (
            name.value == "expected"
            and isinstance(value, yaml.MappingNode)
            and _long(value)
        )
        wide = wide or (name.value in ("given", "seen") and _long(value))
        _style(value, block=wide)
        if name.value in ("given", "expected") and wide:
            for inner, items in value.value:
                _style(items, block=inner.value in BLOCK)
        elif name.value == "steps":
            value.flow_style = False
    text: str = yaml.serialize(nodes, width=WIDTH, allow_unicode=True)
    return "".join(f"  {line}" for line in text.splitlines(keepends=True))


def _style(node: yaml.Node, *, block: bool) -> None:
    """Set a node to block or flow style; whatever is below a node of flow style flows too."""
    if isinstance(node, yaml.CollectionNode):
        node.flow_style = not block
        for item in node.value:
            for part in item if isinstance(item, tuple) else (item,):
                _style(part, block=block)
    elif (
        isinstance(node, yaml.ScalarNode)
        and node.tag == "tag:yaml.org,2002:str"
        and node.style == '"'
    ):
        node.style = None


def _long(node: yaml.Node) -> bool:
    flow = yaml.serialize(node, width=10_000, allow_unicode=True)
    return len(flow) > WIDTH - 15


def main() -> None:
    """Bring every case file into form."""
    for path in case_files():
        path.write_text(canonical(read(path)), encoding="utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
