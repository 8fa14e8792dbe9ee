"""The PII vector keeps its order for ever: stored bits must mean the same in every version."""

from screening.ruleset.ruleset import RuleSet

ORDER_TEXT = """
first_name last_name initials organization_name street_address health_professional_name phone_number email sin
health_card_number passport_number driver_licence_number hospital city postal_code date birth_date age_over_89
fax_number ssn medical_record_number health_plan_number account_number credit_card certificate_licence_number
vehicle_id device_id url ip_address biometric photograph other_unique_number nhs_number iban tax_number
national_id_number place time demographic quantity other_detail subject health_term health_column
full_face_photo listed_person
"""
ORDER = ORDER_TEXT.split()


def test_the_order_of_the_bits_is_append_only(ruleset: RuleSet) -> None:
    assert [each.id for each in ruleset.characteristics] == ORDER
    assert [each.bit for each in ruleset.characteristics] == list(range(len(ORDER)))
    assert ruleset.version == 1


def test_only_places_without_a_detector_are_reserved(ruleset: RuleSet) -> None:
    assert [each.id for each in ruleset.characteristics if each.reserved] == []


def test_all_eighteen_hipaa_categories_have_a_place(ruleset: RuleSet) -> None:
    assert {each.hipaa[0] for each in ruleset.characteristics if each.hipaa} == set("ABCDEFGHIJKLMNOPQR")


def test_every_characteristic_has_a_rule_of_its_own(ruleset: RuleSet) -> None:
    single = {rule.id: rule for rule in ruleset.rules if not rule.screens}
    for each in ruleset.characteristics:
        rule = single[each.id.replace("_", "-")]
        assert [(prototype.bits, prototype.care) for prototype in rule.prototypes] == [(1 << each.bit, 1 << each.bit)]
