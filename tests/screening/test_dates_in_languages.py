"""Every way to write a date in German, French and Spanish is touched; what looks like one is not."""

import re

import pytest

from screening.screen import Screen

DATES = {"date", "birth_date", "time"}
OPENINGS = {
    "de": "Der Patient wurde von uns behandelt.\n",
    "fr": "Le patient a été vu chez nous.\n",
    "es": "El paciente fue visto por la médica.\n",
}
_MARKED = re.compile(r"\[([^\]]+)\]")

GERMAN = """
Der Patient wurde am [10.3.] aufgenommen und am [14.3.] entlassen.
Die Beschwerden bestehen seit [Mai 2019] und nehmen zu.
Der Befund ist seit [Mai 19] bekannt.
Z.n. Cholezystektomie [03/19], Appendektomie [1987].
Bei der Kontrolle in [KW 12] war die Wunde reizlos.
Die OP ist für die [14. KW 2020] geplant.
Wiedervorstellung in der [Kalenderwoche 38].
Chemotherapie am [5.] und [7.3.2019] ohne Komplikationen.
Stationär vom [12.]-[14.3.] in unserer Klinik.
Stationär vom [12].-[14.03.2019] in unserer Klinik.
Stationärer Aufenthalt vom [12.03.] bis [19.03.2021].
Aufenthalt: [12.03.2021] - [19.03.2021] auf der Station.
Er war [12-14.3.2019] bei uns.
Gaben am [3.], [5.] und [7.4.] gut vertragen.
Die Patientin kam im [Frühjahr 2018] erstmals zu uns.
Im [Herbst] sei es schlechter geworden.
Seit dem [Sommer 2017] nehme sie Tabletten.
Sturz im [Winter 2018/19] beim Skifahren.
Herzinfarkt [Weihnachten 2015], seither ASS.
Am Montag, [12.3.], kam er wieder.
Mo [12.03.] Verbandswechsel, Di [13.03.] Fäden gezogen.
Labor [12.03.]: CRP weiter fallend.
Rö-Thorax [4.11.]: kein Infiltrat.
CT-Abdomen ([11.02.19]) unauffällig.
CT [12.03.´19] ohne neuen Befund.
Histologie [3.2019]: kein Hinweis auf Malignität.
ED [03.2019], Rezidiv [11-2020].
Radiatio [01]-[03/2019] mit 50 Gy.
Radiatio [01/18]-[06/19] mit 50 Gy.
Der Port wurde [2/16] implantiert und [8/17] entfernt.
Mammakarzinom links [2011], Rezidiv [2015], Metastasen [2018].
Arthroskopie rechtes Knie [2004] und [2006] in domo.
Sie raucht seit [1998] nicht mehr.
Nikotinabusus bis [ca. 2005].
In den [90er Jahren] sei er in Behandlung gewesen.
Von [2015-2018] keine Kontrollen mehr.
Schuljahr [2015/16] wiederholt wegen der Krankheit.
Die letzte Kontrolle war [Anfang März].
Der Termin wurde verschoben auf den [15. Mai].
Der Urlaub war im [Juli/August 2019].
Von [Juni] bis [November 2019] eine Therapie.
Graz, am [3. Jänner 2020]
Bern, den [3. 4. 20]
Wien, [12. Feber 2018]
Zürich, [03.04.2018]/mk
Datum: [3.4.18]
Eingang [12.03.18], Ausgang [13.03.18]
Untersuchung vom [12,03,2018] liegt bei.
Untersuchung vom [12.03,2018] liegt bei.
Untersuchung vom [12.032018] liegt bei.
Am [12. d.M.] stellte er sich wieder vor.
Im [III. Quartal 2019] waren die Werte besser.
Abrechnung [Q3/2019] und [4. Quartal 2020] offen.
Am [ersten März] und am [dritten Mai] gab es einen Anfall.
Im [Jahre 1954] geboren, Jahrgang [1954].
Ihr Termin ist am [Dienstag, den 4. Juni] um 9 Uhr.
Impfung am [04.06] und [02.07] geplant, beide im Haus.
Menarche mit 13, letzte Regel am [1.11.], Geburtstermin [8. Aug.] laut Pass.
MRT vom [2019-03-12] und Befund [2019/03].
Termin [12/03/2019] bestätigt.
"""

FRENCH = """
Le patient a été hospitalisé du [12] au [14 mars 2019] chez nous.
Elle est venue le [12/03] puis le [14/03].
Hospitalisation du [12/03] au [19/03/2021] dans le service.
Installation le week-end du [10] - [12/08] sans problème.
Premier traitement autour du [08]-[09/08/07] bien toléré.
Reprise du suivi le [23022018] par le médecin.
Elle vit en EHPAD depuis le [211017] avec sa soeur.
Opéré en [07 2002] d'une hernie.
Opérée en [07/2002] d'une hernie.
Opérée en [mars 2002], reprise en [mai 03].
Il a été opéré fin [août] puis en [septembre].
De [jan] à [fév 2007] il prenait du paracétamol.
Chirurgie : - [1981] hystérectomie - [dec1993] ablation de la vésicule.
Prothèse de hanche [2016] en place.
Pendant l'[été 2024] la canicule a posé problème.
Au [printemps] et à l'[automne 2018] des allergies.
Chute dans l'[hiver 2018-2019] sur la glace.
Infarctus à [Noël 2015], depuis sous aspirine.
Dans les [années 90] il travaillait à la mine.
C1 [3/4/19] C2 [1/7/19] C3 [2/8] C4 [16/09] C5 [13 / 03] C6 [28.09] bien tolérés.
Bilan ([11/03]) normal, IMC ([aout 18]) normal.
Né le [22|8|1923] à Lyon, veuf.
Dernier contrôle [10 / 03 | 2020] chez le médecin.
Il est resté jusqu'au [20 12 2003] avant de partir.
Visite le lundi [12 mars] et le mardi [13].
Dernier examen ([2013 janvier]) sans particularité.
Semaine [38] : pansement; semaine [39] de [2020] : retrait des fils.
Suivi depuis [2015-2018] puis perdu de vue.
Deuxième trimestre [2019] : amélioration pour la patiente.
Vue le [1er] et le [3 avril] par le médecin.
Le [premier mai] il est tombé, le [vingt-six mars 2012] aussi.
Ottawa, le [3 avril 2018] - le dossier de la patiente
Le [2018-04-03] elle est revue, puis le [18-04-2018].
Depuis [1990] en France, veuve depuis [2001].
"""

SPANISH = """
El paciente ingresó el [12/03] y fue alta el [14/03].
Ingresada del [12] al [14 de marzo de 2019] en la planta.
Ingreso del [12] al [14/03/2019] en la planta.
Fecha de nacimiento:[19/05 /1981].
Fecha de ingreso: [20/11//2014].
Fecha de ingreso: [2016].
Nivel de PSA normal a los 4 meses ([Junio 04]) según el informe.
Intervenida en [mar-2012], [03/2013] y [04/15] por el mismo médico.
En [febrero] y [marzo] empeoró; desde [abril] mejor.
Desde el [verano de 2018] presenta dolor.
En la [primavera] tiene alergia, en el [otoño 2019] también.
Infarto en la [Navidad de 2015], desde entonces con aspirina.
En los [años 90] trabajaba en la mina, hasta [1998].
Prótesis de cadera [2016] sin complicaciones para la paciente.
Fractura de muñeca ([1938]) sin secuelas según el paciente.
Vista el lunes [12 de marzo] y el martes [13].
El [primero de mayo] sufrió una caída, el [doce de junio] otra.
Entre [2015-2018] sin controles por su médico.
En el [segundo trimestre de 2019] mejoró la paciente.
En la [semana 38 de 2020] se retiran los puntos.
Curas los días [3], [5] y [7 de abril] por la enfermera.
Madrid, a [3 de abril de 2018]. El médico de guardia.
Analítica [12-03-18]: normal. Analítica [12.03.2018]: normal en la paciente.
El [2018-04-03] acude de nuevo la paciente.
Diagnosticada a finales de [2011] y a principios de [mayo].
"""

LOOK_ALIKES = {
    "de": """
Die Kraft ist links 4/5, rechts 5/5, auf der Skala 3/10 Punkte.
RR 120/80 mmHg, Puls 72, Visus rechts 0,8, links 1,0.
Es wurden 2000 ml gegeben und 1950 Euro berechnet.
Siehe Kapitel 4.2. und Abschnitt 3.1. der Leitlinie.
Kalium 4,2, Natrium 138, Hb 12.3 und Leukozyten 7.8 im Labor.
""",
    "fr": """
Douleur cotée 7/10, force 4/5, tension 120/80 mmHg chez le patient.
Il a reçu 2000 ml et paiera 1950 euros pour la chambre.
Voir le chapitre 4.2 et la version 3.1 du guide.
""",
    "es": """
Dolor 7/10 según la escala, fuerza 4/5, tensión 120/80 mmHg en el paciente.
Se administran 2000 ml y pagará 1950 euros por la habitación.
Véase el capítulo 4.2 y la versión 3.1 de la guía.
""",
}


def lines_of(texts: dict[str, str]) -> list[tuple[str, str]]:
    return [(language, line) for language, text in texts.items() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("language", "line"), lines_of({"de": GERMAN, "fr": FRENCH, "es": SPANISH}))
def test_every_way_to_write_a_date_is_touched(language: str, line: str, screen: Screen) -> None:
    text, wanted = OPENINGS[language], []
    at = 0
    for match in _MARKED.finditer(line):
        text += line[at : match.start()]
        wanted.append((len(text), len(text) + len(match[1])))
        text += match[1]
        at = match.end()
    text += line[at:]
    found = [(span.start, span.end) for span in screen.spans(text) if span.characteristic in DATES]
    missed = [text[a:b] for a, b in wanted if not any(start < b and a < end for start, end in found)]
    assert not missed


@pytest.mark.parametrize(("language", "line"), lines_of(LOOK_ALIKES))
def test_scores_doses_and_chapters_are_no_dates(language: str, line: str, screen: Screen) -> None:
    text = OPENINGS[language] + line
    assert [text[span.start : span.end] for span in screen.spans(text) if span.characteristic in DATES] == []
