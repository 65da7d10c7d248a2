"""Reading a game's RULES.md."""


def table_rows(markdown: str) -> list[list[str]]:
    """The rows of a table, without its heading.

    >>> table_rows("| die | pawns |\\n|---|---|\\n| `4` | 2 |\\n")
    [['4', '2']]
    """
    rows = [line.strip("|").split("|") for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.replace("`", "").strip() for cell in row] for row in rows[2:]]
