"""Which files paths mean, and which documents count as gone."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from index_doubles import write

from kontextwerk.index.files import find, gone


def names(folder: Path, paths: list[Path]) -> list[str]:
    """Return what is found at paths, relative to a folder."""
    return sorted(str(path.relative_to(folder)) for path in find(paths).files)


def test_a_folder_means_its_documents(folder: Path) -> None:
    """Hidden files and folders and files of other kinds are passed over in a folder, without a word."""
    write(folder, dict.fromkeys(("a.txt", "B.MD", ".versteckt.txt", ".git/c.txt", "d.exe", "e", "f/g/h.txt"), "x"))
    found = find([folder])
    assert sorted(str(path.relative_to(folder)) for path in found.files) == ["B.MD", "a.txt", "f/g/h.txt"]
    assert found.failures == []


def test_a_file_that_is_named_must_be_readable(folder: Path) -> None:
    """A named file of an unknown kind is a failure that lists the known ones; a hidden one that is named counts."""
    write(folder, {"d.exe": "x", "ohne": "x", ".versteckt.txt": "x"})
    found = find([folder / "d.exe", folder / "ohne", folder / ".versteckt.txt"])
    assert [failure.reason for failure in found.failures] == [
        "files of the kind .exe are not read",
        "files of the kind (none) are not read",
    ]
    assert ".pdf" in found.failures[0].mend
    assert found.files == {folder / ".versteckt.txt"}


def test_links_are_followed_and_loops_end(folder: Path) -> None:
    """Files and folders behind links are found where they really lie; loops of links end."""
    write(folder, {"da/a.txt": "x", "fort/b.txt": "x"})
    (folder / "da" / "kreis").symlink_to(folder / "da")
    (folder / "da" / "hinauf").symlink_to(folder)
    (folder / "da" / "selbst").symlink_to(folder / "da" / "selbst")
    (folder / "da" / "leer.txt").symlink_to(folder / "nirgends.txt")
    found = find([folder / "da"])
    assert sorted(str(path.relative_to(folder)) for path in found.files) == ["da/a.txt", "fort/b.txt"]
    assert [(Path(failure.path).name, failure.reason) for failure in found.failures] == [
        ("leer.txt", "is a link to nothing")
    ]


def test_a_named_loop_is_a_failure(folder: Path) -> None:
    """A link to itself that is named is a failure, not an exception."""
    (folder / "selbst.txt").symlink_to(folder / "selbst.txt")
    assert [failure.path for failure in find([folder / "selbst.txt"]).failures] == [str(folder / "selbst.txt")]


def test_odd_paths_are_failures(folder: Path) -> None:
    """A pipe and a path with a NUL are failures; a pipe in a folder is passed over."""
    os.mkfifo(folder / "rohr.txt")
    found = find([folder, folder / "rohr.txt", Path("a\0b.txt")])
    assert [failure.reason for failure in found.failures] == ["is neither file nor folder", "embedded null byte"]
    assert found.files == set()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read(folder: Path) -> None:
    """A folder without permission is a failure with a mend; the rest is found, and nothing in it counts as gone."""
    write(folder, {"zu/a.txt": "x", "b.txt": "x"})
    (folder / "zu").chmod(0)
    try:
        found = find([folder])
        assert found.files == {folder / "b.txt"}
        assert [(failure.path, failure.mend) for failure in found.failures] == [
            (str(folder / "zu"), "Check its permissions")
        ]
        assert not gone(folder / "zu" / "a.txt", found)
    finally:
        (folder / "zu").chmod(0o700)


@pytest.mark.parametrize(
    ("happens", "expected"),
    [
        (Path.exists, False),
        (Path.unlink, True),
        (lambda path: (path.unlink(), path.mkdir()), True),
        (lambda path: path.rename(path.with_suffix(".bak")), True),
        (lambda path: (path.rename(path.with_name("neu.txt")), path.symlink_to(path.with_name("neu.txt"))), True),
    ],
    ids=["nothing", "removed", "now a folder", "renamed", "now a link elsewhere"],
)
def test_gone(folder: Path, happens: Callable[[Path], object], expected: bool) -> None:  # noqa: FBT001  a case's value
    """A document is gone where its file is, or where something else lies in its place."""
    write(folder, {"unter/a.txt": "x"})
    happens(folder / "unter" / "a.txt")
    assert gone(folder / "unter" / "a.txt", find([folder])) == expected
    assert not gone(folder / "unter" / "a.txt", find([folder / "unter" / "b"]))


def test_a_moved_folder_with_a_link_in_its_place(folder: Path) -> None:
    """Where a folder has moved and a link leads there, the documents at the old place are gone."""
    write(folder, {"alt/a.txt": "x"})
    (folder / "alt").rename(folder / "neu")
    (folder / "alt").symlink_to(folder / "neu")
    found = find([folder / "alt"])
    assert found.files == {folder / "neu" / "a.txt"}
    assert gone(folder / "alt" / "a.txt", found)
