"""The command `kontextwerk`; without the extra that it needs, one line that says what to install."""

import sys


def main() -> None:
    """Run the command line, or name the missing extra."""
    try:
        from kontextwerk.cli import run
    except ModuleNotFoundError as error:
        sys.exit(f"kontextwerk: {error.name} is missing. Install the command with: pip install 'kontextwerk[app]'")
    run()


if __name__ == "__main__":
    main()
