"""Which form a file has, by its content, and the reader for it."""

import codecs
from pathlib import Path

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import Design, SourcePlace
from callagain.porting.design.readers.flowchart import holds_flowchart, read_flowchart
from callagain.porting.design.readers.jpk import read_jpk
from callagain.porting.design.readers.json_values import read_json
from callagain.porting.design.readers.limits import MAX_JSON_BYTES
from callagain.porting.design.readers.manifest_form import MANIFEST
from callagain.porting.design.readers.script_folder import read_script_folder
from callagain.porting.design.readers.studio_export import read_studio_export
from callagain.porting.design.readers.texts import decode_text, is_regular_file, read_bytes

_ZIP = b"PK"
_ARCHIVE, _JSON, _FLOWCHART = "a ZIP archive", "JSON", "a Mermaid flowchart"
_PROMISED = {
    ".jpk": _ARCHIVE, ".zip": _ARCHIVE, ".json": _JSON,
    ".mmd": _FLOWCHART, ".mermaid": _FLOWCHART, ".md": _FLOWCHART,
}  # fmt: skip
_FORMS = (
    "a folder of scripts, a project export of Studio (.json), a Design Studio project (.jpk), "
    "or a Mermaid flowchart (.mmd, .md)"
)


def read_design(path: Path) -> Design:
    """The design in a file or folder: in a folder of scripts, a Studio export, a .jpk file, or a flowchart.

    What a file holds decides. A name that promises another form is an error, since one of both is a mistake.
    Raises DesignError for what cannot be read; what can be read and is not known for sure is a guess of the
    design.
    """
    place = SourcePlace(str(path))
    try:
        if path.is_dir():
            return read_script_folder(path)
        if not is_regular_file(path):
            raise DesignError(place, f"is no regular file; give {_FORMS}")
        return _read_file(path, place)
    except OSError as error:
        raise DesignError(place, f"cannot be read: {error.strerror or error}") from None


def _read_file(path: Path, place: SourcePlace) -> Design:
    with path.open("rb") as file:
        beginning = file.read(len(_ZIP))
    if not beginning:
        raise DesignError(place, f"is empty; give {_FORMS}")
    if beginning == _ZIP:
        _check_promise(path, _ARCHIVE)
        return read_jpk(path)
    content = read_bytes(path, MAX_JSON_BYTES)
    if b"\0" in content[:1024] and not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DesignError(place, f"is neither text nor a ZIP archive; give {_FORMS}")
    return _read_text_form(path, decode_text(content, place))


def _read_text_form(path: Path, text: str) -> Design:
    place = SourcePlace(str(path))
    start = text.lstrip()[:1]
    if not start:
        raise DesignError(place, f"is empty; give {_FORMS}")
    if holds_flowchart(text):
        _check_promise(path, _FLOWCHART)
        return read_flowchart(text, path)
    if _PROMISED.get(path.suffix.lower()) == _FLOWCHART and start != "{":
        problem = "has no Mermaid flowchart; it begins with `flowchart`, in a .md file in a fence"
        raise DesignError(place, problem)
    if start in ("{", "["):
        _check_promise(path, _JSON)
        value = read_json(text, place)
        if path.name == MANIFEST and isinstance(value, dict) and "project" not in value:
            return read_script_folder(path.parent)
        return read_studio_export(value, path)
    raise DesignError(place, f"is in no form that can be read; give {_FORMS}")


def _check_promise(path: Path, form: str) -> None:
    promised = _PROMISED.get(path.suffix.lower())
    if promised is not None and promised != form:
        problem = f"is {form}, and not {promised} as its name says; rename it if that is what you mean"
        raise DesignError(SourcePlace(str(path)), problem)
