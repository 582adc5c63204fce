"""Where German and English sentences end, case by case: a stroke stands for each end inside the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk.context.sentences import CODE_LINES, sentences

GERMAN = """
Die Frist beträgt zwei Wochen. | Sie beginnt mit der Zustellung.
Dr. med. Müller kommt. | Er bleibt.
Frau Prof. Dr. Kern leitet den Kurs. | Sie ist neu.
Das gilt z. B. für Gäste. | Andere zahlen.
Das gilt z.B. für Gäste. | Andere zahlen.
Er kommt, d. h. er ist eingeladen. | Gut.
Siehe § 5. | Danach folgt mehr.
Das steht in § 5 Abs. 2 Satz 1. | Mehr nicht.
Siehe Nr. 3 der Liste. | Danach mehr.
Er kam am 3. Mai. | Er blieb.
Im 19. Jahrhundert war das anders. | Heute nicht.
Er sagte: „Nein.“ | Dann ging er.
„Nein“, sagte sie. | Er ging.
Wir treffen uns im Café. | Danach gehen wir.
Die Quote liegt bei 30 %. | Das ist viel.
Es gab Tee, Kaffee usw. | Danach war Schluss.
Es gab Tee, Kaffee usw. und Kuchen. | Danach war Schluss.
Vgl. Kap. 3 des Handbuchs. | Dort steht mehr.
Siehe S. 12 f. im Handbuch. | Dort steht mehr.
Johann W. Goethe schrieb das. | Es ist alt.
J. W. Goethe schrieb das. | Es ist alt.
Die Fa. Meier liefert. | Sie ist pünktlich.
Was ist das? | Ein Haus.
Halt! | Wer da?
Wirklich?! | Ja.
Er zögerte … dann ging er. | Schluss.
Am 01.02.2024 war es so weit. | Wir begannen.
Um 9.30 Uhr geht es los. | Seid pünktlich.
Mehr steht auf www.example.org. | Dort ist alles.
Die Datei heißt bericht.v2.pdf und ist groß. | Öffnen Sie sie.
Version 3.5 ist neu. | Sie ist schnell.
Das kostet 3,50 Euro. | Das ist wenig.
Das kostet 1.200 Euro. | Das ist viel.
Der Betrag ist inkl. MwSt. | Er ist fällig.
Der Betrag ist zzgl. Umsatzsteuer fällig. | Er ist hoch.
Sie wohnt in der Hauptstr. 5 in Bonn. | Er nicht.
Der sog. Vertrag gilt. | Er ist alt.
Das ist ca. zwei Jahre her. | Seither ist Ruhe.
Die Abb. 3 zeigt das. | Es ist klar.
Der Kurs dauert max. drei Tage. | Er ist kurz.
Die Anm. d. Red. fehlt. | Sie kommt noch.
Das Gesetz vom 5. Juni 1998 gilt. | Es ist alt.
Er wurde Dritter. | Sie wurde Erste.
Das gilt i. d. R. für alle. | Ausnahmen gibt es.
Sie erhalten u. a. ein Buch. | Es ist neu.
Herr Dipl.-Ing. Wolf prüft. | Er ist genau.
St. Gallen liegt in der Schweiz. | Es ist schön.
Das regelt Art. 3 GG. | Er gilt.
Bitte melden (Tel. 0228 1234). | Danke.
Das war alles (siehe oben). | Mehr nicht.
(Das war alles.) | Mehr nicht.
Er fragte: „Wann?“ | Sie schwieg.
Das hat Karl V. entschieden. | Er war Kaiser.
Kapitel IV. beginnt hier. | Es ist kurz.
Ludwig XIV. herrschte lange. | Er war König.
Das ist der 2. Absatz. | Er ist kurz.
Es sind Nr. 1, 2 und 3. | Das ist alles.
Die GmbH & Co. KG haftet. | Sie ist groß.
Es kamen 20 Personen. | 15 davon blieben.
Der Preis stieg um 5 %. | Der Umsatz fiel.
Er kam um 8. | Sie kam um 9.
Das ist gut so.“ | Er ging.
Der o. g. Betrag ist fällig. | Zahlen Sie.
Es gilt die StVO. | Sie ist streng.
Ggf. ist ein Antrag nötig. | Er ist formlos.
"""
ENGLISH = """
The deadline is two weeks. | It starts today.
Mr. Smith came. | He stayed.
Dr. Jane Doe spoke. | She left.
Use fruit, e.g. apples. | They are cheap.
The rest, i.e. the others, left. | We stayed.
He lives in the U.S. and works. | She does not.
It starts at 9 a.m. sharp. | Be there.
It starts at 9 p.m. | Be there.
See Fig. 3 for details. | It is clear.
See No. 5 on the list. | It is short.
On Jan. 5 it began. | It ended soon.
J. Smith wrote it. | It is old.
J. R. R. Tolkien wrote it. | It is long.
Acme Inc. makes it. | It works.
Smith et al. showed this. | It holds.
He said "No." | Then he left.
“No,” she said. | He left.
What is it? | A house.
Stop! | Who goes there?
Version 3.5 is new. | It is fast.
It costs $3.50. | That is little.
It has 1,200 pages. | That is a lot.
Visit www.example.org. | It is all there.
The file is report.v2.pdf. | Open it.
St. Louis is a city. | It is large.
Gen. Lee surrendered. | It was over.
He works for Acme Corp. | She does not.
Apples, pears, etc. | Then nuts.
Apples, pears, etc. are fruit. | Nuts are not.
The match was U.S. vs. Mexico. | It was close.
Approx. ten came. | Five left.
He got a Ph.D. in 1990. | She did later.
See p. 12 and pp. 14-16. | They help.
It ended (see above). | Nothing more.
(It ended.) | Nothing more.
It was the end... | Or so it seemed.
Prices rose 5%. | Sales fell.
It was World War II. | The end came.
Henry VIII. was king. | He had six wives.
He came at 8. | She came at 9.
It was Sgt. Pepper. | He played.
"""


def cases(table: str) -> list[list[str]]:
    """Return the sentences of each line."""
    return [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]


@pytest.mark.parametrize("expected", cases(GERMAN), ids=" ".join)
def test_german_sentences_end_as_german_ones_do(expected: list[str]) -> None:
    """Abbreviations, ordinals, dates, quotations and signs neither split a German sentence nor join two."""
    text = " ".join(expected)
    assert [text[slice(*span)] for span in sentences(text, "de")] == expected


@pytest.mark.parametrize("expected", cases(ENGLISH), ids=" ".join)
def test_english_sentences_end_as_english_ones_do(expected: list[str]) -> None:
    """Abbreviations, initials, numbers and quotations neither split an English sentence nor join two."""
    text = " ".join(expected)
    assert [text[slice(*span)] for span in sentences(text, "en")] == expected


@given(st.text(alphabet="aB .!?|\n`~-#1ä„“\u00ad\u00a0\u2028", max_size=200), st.sampled_from(["de", "en"]))
def test_every_character_is_in_one_sentence(text: str, language: str) -> None:
    """The spans hold every character that is no white space, in order, without overlap, trimmed."""
    spans = sentences(text, language)  # type: ignore[arg-type]
    position = 0
    for start, end in spans:
        assert not text[position:start].strip()
        assert start < end
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.parametrize("blank", ["\u00a0", "\u2028", "\u2029", "\u0085", "\u3000", "\u2009"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_wide_blanks_before_a_full_stop(blank: str, language: str) -> None:
    """A blank of more than one byte between a capital and a full stop breaks nothing."""
    text = f"Siehe Anlage A{blank}. Danach mehr."
    spans = sentences(text, language)  # type: ignore[arg-type]
    assert (spans[0][0], spans[-1][1]) == (0, len(text))


def test_a_short_block_of_code_is_one_unit_and_a_long_one_its_lines() -> None:
    """Code is not cut where it is short, blank lines inside or not, and between lines where it is long."""
    short = "```python\nx = 1.\n\ny = 2.\n```"
    text = f"Davor. Auch davor.\n{short}\nDanach."
    assert [text[slice(*span)] for span in sentences(text)] == ["Davor.", "Auch davor.", short, "Danach."]
    long = "\n".join(["~~~", *(f"zeile({n})." for n in range(CODE_LINES)), "~~~"])
    assert [long[slice(*span)] for span in sentences(long)] == long.split("\n")
