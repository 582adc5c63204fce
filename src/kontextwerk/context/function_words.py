"""The words that carry grammar more than matter, German and English: articles, pronouns, prepositions, auxiliaries.

They are closed classes of the languages, listed from grammar and not from any collection of texts. A claim is not
unsupported because such a word is missing from its evidence. Negations are among them: `negations` looks after them.
"""

from kontextwerk.context.model import Language
from kontextwerk.context.words import fold, stem

_LISTED: dict[Language, str] = {
    "de": """
    der die das den dem des dessen deren denen ein eine einer eines einem einen
    ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man
    mein dein sein unser euer meine deine seine ihre unsere seiner ihrer seinem ihrem seinen ihren
    dieser diese dieses diesem diesen jener jene jenes jenem jenen derselbe dieselbe dasselbe
    welcher welche welches welchem welchen wer was wen wem wessen wo wann wie warum weshalb wohin woher
    etwas jemand einige mehrere manche viele beide solche anderer andere anderes anderem anderen
    und oder aber sondern denn weil dass ob wenn als während nachdem bevor bis damit indem obwohl sowie sowohl auch
    in im ins an am ans auf aus bei beim mit nach seit von vom zu zum zur für durch um gegen über unter vor hinter neben
    zwischen wegen trotz gemäß laut per pro ab außer innerhalb außerhalb bezüglich aufgrund anhand mittels
    bin bist ist sind seid war waren wäre wären gewesen sei seien habe hast hat haben hatte hatten hätte hätten gehabt
    werde wirst wird werden wurde wurden würde würden geworden worden
    kann können konnte konnten könnte könnten darf dürfen durfte muss müssen musste müssten soll sollen sollte sollten
    will wollen wollte mag möchte lassen lässt
    da dann dort hier so nun jetzt noch schon nur sehr mehr etwa rund circa ungefähr dabei dadurch dafür dagegen daher
    darin darauf daraus darüber davon dazu deshalb jedoch allerdings also zudem außerdem ferner somit jeweils sogar
    nicht nichts kein keine keinen keinem keiner keines nie niemals
    insbesondere beispielsweise unter anderem bereits daran damals wobei wodurch womit zwar doch eben hin her
    """,
    "en": """
    the a an this that these those i you he she it we they me him her us them my your his its our their mine
    who whom whose which what when where why how someone something some several many both such other others another each
    and or but because that if when as while after before until since although though so than then also as well both
    in into on onto at by for from of off to toward with within without about above below under over between among
    through during against per via upon across around along
    am is are was were be been being have has had having do does did doing will would shall should can could may
    might must there here now just only very more most about around approximately however therefore thus moreover
    not no never none nor neither nothing cannot furthermore also even already still too
    additionally specifically including such
    """,
}
_STEMS: dict[Language, frozenset[str]] = {
    language: frozenset(form for word in words.split() for form in (fold(word), stem(word, language)))
    for language, words in _LISTED.items()
}


def carries_grammar(own: str, language: Language) -> bool:
    """Say whether a folded word or a stem is a function word.

    >>> carries_grammar("wurde", "de"), carries_grammar("frist", "de")
    (True, False)
    """
    return own in _STEMS[language]
