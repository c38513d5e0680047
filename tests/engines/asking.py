"""Random questions of eight files, as an address of the tool and as options of the command."""

import dataclasses
import random
from urllib.parse import urlencode

ROWS = 240


def _table(draw, low=0, high=40, *, repeat=1):
    """Rows of a person, a ward, a stay and a cost."""
    return [
        [
            f"P{row // repeat:03d}",
            draw.choice("nsw"),
            draw.randint(low, high),
            draw.randint(1, 9000),
        ]
        for row in range(ROWS)
    ]


def _points(number, sign=".", decimal=","):
    """A number with two decimals, its thousands parted."""
    text = f"{number + 0.25:,.2f}"
    return text.translate(str.maketrans({",": sign, ".": decimal}))


def _with(table, rows, text):
    """Another stay in some rows."""
    for row in rows:
        table[row][2] = text
    return table


# Of each file: its rows, what divides them, how it is encoded, and what a reader of it must know.
FILES = {
    "plain": (_table, ",", "utf-8", {}),
    "german": (
        lambda draw: [[*row[:3], _points(row[3], "", ",")] for row in _table(draw)],
        *(";", "cp1252", {"decimal": ",", "encoding": "cp1252"}),
    ),
    "tabs": (_table, "\t", "utf-16", {"encoding": "utf-16"}),
    "codes": (lambda draw: _with(_table(draw), range(9), 99), ",", "utf-8", {}),
    "codes that are known": (
        lambda draw: _with(_table(draw), range(9), 99),
        *(",", "utf-8", {"missing": "99"}),
    ),
    "several rows": (lambda draw: _table(draw, repeat=3), ",", "utf-8", {}),
    "gaps": (lambda draw: _with(_table(draw), range(0, ROWS, 9), ""), ",", "utf-8", {}),
    "thousands": (
        lambda draw: [[*row[:3], _points(row[3])] for row in _table(draw)],
        *(";", "utf-8-sig", {"decimal": ",", "thousands": "."}),
    ),
}


def write(name, folder):
    """The file, with its line ends as on Windows where it is German."""
    rows, sign, encoding, _ = FILES[name]
    lines = [["person", "ward", "stay", "cost"], *rows(random.Random(name))]
    end = "\r\n" if name == "german" else "\n"
    text = "".join(sign.join(map(str, line)) + end for line in lines)
    path = folder / f"{name.replace(' ', '-')}.csv"
    path.write_bytes(text.encode(encoding))
    return path


@dataclasses.dataclass
class Question:
    """What is asked, in the words of the page's address."""

    asks: list
    limits: dict
    more: dict
    signs: dict

    def address(self):
        """What follows the sharp sign."""
        asks = [("ask", ask) for ask in self.asks]
        limits = [("limits", f"{name}={low}:{high}") for name, (low, high) in self.limits.items()]
        return urlencode([*asks, *limits, *self.more.items(), *self.signs.items()])

    def options(self):
        """What follows the name of the file."""
        more, words = self.more, []
        for ask in self.asks:
            words += ["--ask", ask]
        for name, (low, high) in self.limits.items():
            words += ["--limits", f"{name}={low}:{high}"]
        words += [] if self.limits else ["--everybody"]
        words += ["--by", more["by"]] if "by" in more else []
        words += ["--hide-n"] if "hide" in more else []
        for group in more.get("groups", "").split():
            words += ["--group", group]
        words += ["--already", more["already"]] if "already" in more else []
        words += ["--person", more["person"]] if "person" in more else []
        words += ["--rows-per-person", more["perPerson"]] if "perPerson" in more else []
        words += ["--keep-rows"] if "keepRows" in more else []
        words += [f"--{more['goal']}", more["value"]]
        words += ["--before", more["before"]] if "before" in more else []
        words += ["--drop-missing"] if "dropMissing" in more else []
        for name, sign in self.signs.items():
            words += [f"--{name}", sign]
        return words


def question(name, number):
    """The question of that number about a file."""
    draw = random.Random(f"{name} {number}")
    kinds = ["mean:stay", "sum:stay", "mean:cost", "share:ward=n"]
    hides = draw.random() < 0.3
    asks = draw.sample(kinds + ["count"] * hides, draw.choice((1, 1, 2)))
    ranges = {"stay": (0, draw.choice((30, 60))), "cost": (0, 9000)}
    limits = {column: ranges[column] for column in ranges if f":{column}" in " ".join(asks)}
    goals = [{"goal": "odds", "value": draw.choice(("2", "3", "10"))}]
    goals += [{"goal": "risk", "value": "30%", "before": "5%"}]
    goals += [{"goal": "error", "value": "2"}] * (len(asks) == 1)
    more = {"who": "everybody", "whose": "row"} | draw.choice(goals)
    if draw.random() < 0.3 and "share:ward=n" not in asks:
        more |= {"by": "ward"} | ({"groups": "n\ns\nw"} if hides else {})
    more |= {"hide": "n"} if hides else {}
    more |= {"already": "1.5"} if draw.random() < 0.2 else {}
    more |= {"dropMissing": "drop"} if draw.random() < 0.5 else {}
    if name == "several rows" or draw.random() < 0.2:
        more |= {"whose": "several", "person": "person"}
        more |= {"perPerson": draw.choice(("2", "3"))} if draw.random() < 0.8 else {}
        more |= {"keepRows": "first"} if draw.random() < 0.5 else {}
    return Question(asks, limits, more, FILES[name][3])
