"""Which files are meant by the paths that a person names.

A folder means the documents in it and below; hidden files and those of other kinds are passed over. Links are
followed; each file counts once, at the place where it really lies. It leaves out what is in the files: see
`kontextwerk.documents`.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kontextwerk.documents import SUFFIXES


@dataclass(frozen=True, slots=True)
class Failure:
    """A file or folder that could not be read.

    Attributes:
        path: Where it lies.
        reason: Why.
        mend: What can be done about it; may be empty.
    """

    path: str
    reason: str
    mend: str


@dataclass(frozen=True, slots=True)
class Found:
    """What paths mean.

    Attributes:
        files: The documents, each once.
        folders: The folders that were named.
        missing: The paths at which there is nothing.
        failures: What is there and cannot be read.
    """

    files: set[Path] = field(default_factory=set)
    folders: set[Path] = field(default_factory=set)
    missing: set[Path] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)


def find(paths: Iterable[Path]) -> Found:
    """Find the documents at and below paths; for what cannot be read there is a failure, nothing is raised."""
    found = Found()
    for path in dict.fromkeys(map(Path, paths)):
        try:
            real = Path(os.path.realpath(path))
            mode = real.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            found.missing.add(Path(os.path.abspath(path)))  # noqa: PTH100  Path.resolve would follow links
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            found.failures.append(_unreadable(path, error))
        else:
            _sort_in(path, real, mode, found)
    return found


def gone(path: Path, found: Found) -> bool:
    """Say whether an indexed document lay where `found` looked, and lies there no more."""
    roots = found.folders | found.missing
    if path in found.files or not (path in roots or roots.intersection(path.parents)):
        return False
    try:
        return not stat.S_ISREG(path.stat().st_mode) or Path(os.path.realpath(path)) != path
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # it may well be there
        return False


def _sort_in(path: Path, real: Path, mode: int, found: Found) -> None:
    if stat.S_ISDIR(mode):
        found.folders.update({real, Path(os.path.abspath(path))})  # noqa: PTH100  Path.resolve would follow links
        found.files.update(_walk(real, found.failures))
    elif not stat.S_ISREG(mode):
        found.failures.append(Failure(str(path), "is neither file nor folder", ""))
    elif real.suffix.lower() not in SUFFIXES:
        known = ", ".join(sorted(SUFFIXES))
        found.failures.append(
            Failure(str(path), f"files of the kind {real.suffix or '(none)'} are not read", f"Known: {known}")
        )
    else:
        found.files.add(real)


def _walk(folder: Path, failures: list[Failure]) -> Iterator[Path]:
    """Yield the documents in a folder and below, where they really lie; each folder is entered once, so loops end."""
    waiting, entered = [folder], {folder}
    while waiting:
        here = waiting.pop()
        try:
            entries = [entry for entry in here.iterdir() if not entry.name.startswith(".")]
        except OSError as error:
            failures.append(_unreadable(here, error))
            continue
        for entry in entries:
            real = Path(os.path.realpath(entry))
            if real.is_dir() and real not in entered:
                entered.add(real)
                waiting.append(real)
            elif real.suffix.lower() in SUFFIXES and real.is_file():
                yield real
            elif entry.is_symlink() and entry.suffix.lower() in SUFFIXES and not real.exists():
                failures.append(Failure(str(entry), "is a link to nothing", "Mend the link, or delete it"))


def _unreadable(path: Path, error: OSError | ValueError) -> Failure:
    reason = error.strerror if isinstance(error, OSError) else None
    mend = "Check its permissions" if isinstance(error, PermissionError) else "Check the path"
    return Failure(str(path), reason or str(error), mend)
