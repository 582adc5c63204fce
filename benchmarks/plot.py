"""Shares of questions over budgets, as a figure for light and dark pages. It leaves out how they were measured."""

from collections.abc import Mapping
from pathlib import Path

from evidence import BUDGETS, Score

OURS = "Kontextwerk"
_GREY, _ACCENT = "#8a8f98", "#d9572b"


def draw(results: Mapping[str, Mapping[str, Mapping[int, Score]]], file: Path) -> None:
    """Write a figure with a panel for each set: ours in colour, the others in grey, each named at its line's end."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "kontextwerk", "svg.fonttype": "path", "font.size": 9, "text.color": _GREY})
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(results), figsize=(4.2 * len(results), 4.2), squeeze=False)
    for axis, (name, columns) in zip(axes[0], results.items(), strict=True):
        for column, scores in columns.items():
            ours = column.startswith(OURS)
            dashed = ours and column != f"{OURS}, question"
            axis.plot(
                BUDGETS,
                [scores[budget].share for budget in BUDGETS],
                color=_ACCENT if ours else _GREY,
                linewidth=2.4 if ours and not dashed else 1.2,
                linestyle="-" if not dashed else ":" if column == f"{OURS}, no question" else "--",
                alpha=1.0 if ours else 0.75,
                marker=_MARKS.get(column, "o"),
                markersize=3.5,
                label=column,
            )
        axis.set_xscale("log")
        axis.set_xticks(BUDGETS, [f"{budget:,}" for budget in BUDGETS])
        axis.minorticks_off()
        axis.set_ylim(0, 1)
        axis.set_title(name, color=_GREY)
        axis.set_xlabel("budget in tokens", color=_GREY)
        axis.tick_params(colors=_GREY)
        axis.grid(axis="y", color=_GREY, alpha=0.25, linewidth=0.6)
        for side, spine in axis.spines.items():
            spine.set_visible(side in {"left", "bottom"})
            spine.set_color(_GREY)
    axes[0][0].set_ylabel("share of questions with their evidence", color=_GREY)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=5, frameon=False, labelcolor=_GREY)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(file, transparent=True, metadata={"Date": None})
    plt.close(figure)


_MARKS = {"loop": "v", "whole": "s", "cut": "^", "words": "x", "LangChain": "D", "LlamaIndex": "P", "Haystack": "*"}
