"""Writes the pages of this folder that are made from the code: `python docs/reference/write.py`.

`settings.md` from the docstring of `Settings`, `commands.md` from the commands' own help.
"""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from kontextwerk.cli import app
from kontextwerk.settings import PREFIX, Settings

HERE = Path(__file__).parent


def settings() -> str:
    """Return the page of settings."""
    docstring = inspect.getdoc(Settings) or ""
    told = dict(re.findall(r"^    (\w+): ((?:.|\n {8})+)", docstring, re.MULTILINE))
    rows = [
        f"| `{field.name}` | {f'`{field.default}`' if field.default else ''} | {' '.join(told[field.name].split())} |"
        for field in fields(Settings)
    ]
    return "\n".join(
        [
            "# Settings",
            "",
            f"In `~/.config/kontextwerk/config.toml`, as variables with `{PREFIX}` before their name in capitals,",
            "or as flags; later ones win.",
            "",
            "| name | default | what it is |",
            "| --- | --- | --- |",
            *rows,
            "",
        ]
    )


def commands() -> str:
    """Return the page of commands."""
    group: Any = typer.main.get_command(app)
    parts = ["# Commands", ""]
    for name in sorted(group.commands):
        command = group.commands[name]
        parts += [f"## kontextwerk {name}", "", command.help or "", ""]
        for parameter in command.params:
            names = ", ".join(parameter.opts) if parameter.param_type_name == "option" else parameter.name.upper()
            parts.append(f"- `{names}`: {parameter.help or ''}")
        parts.append("")
    return "\n".join(parts)


PAGES = {"settings.md": settings, "commands.md": commands}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
