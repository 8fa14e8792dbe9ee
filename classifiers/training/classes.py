"""Kinds of training texts -> the classes that the health stage tells apart."""

from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, STRUCTURED, TALK
from core.records import HealthClass

CLASS_OF_KIND = {
    NOTE: HealthClass.RECORD,
    STRUCTURED: HealthClass.RECORD,
    TALK: HealthClass.TALK,
    GENERAL: HealthClass.GENERAL,
    EVERYDAY: HealthClass.NONE,
}
