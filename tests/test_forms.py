import pytest
import spacy

from spacy_pii.forms import has_form


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


@pytest.mark.parametrize(
    "text,surface,label,expected",
    [
        ("call 617-555-0143 now", "617-555-0143", "PHONE_NUMBER", True),
        ("call six one seven five five now", "six one seven five five", "PHONE_NUMBER", True),  # spelt out
        ("the answer is 204 .", "204", "PHONE_NUMBER", False),
        ("my id is 20458817", "20458817", "ID_NUM", True),
        ("what is 20458817 + 3", "20458817", "ID_NUM", False),  # an operand
        ("so x = 28 then", "28", "AGE", False),
        ("tutor: how old are you\nstudent: 14", "14", "AGE", True),  # the cue stands in the question
        ("tutor: what is 7 times 2\nstudent: 14", "14", "AGE", False),
        ("student: 21372\ntutor: good start", "21372", "ID_NUM", False),
        ("I am fourteen", "fourteen", "AGE", True),
        ("Ich bin siebenundzwanzig", "siebenundzwanzig", "AGE", True),  # one word in German
        ("I am tired", "tired", "AGE", False),
        ("on april ninth", "april ninth", "DATE", True),
        ("back in 1998 we", "1998", "DATE", True),  # a year
        ("on 3/14/2021 .", "3/14/2021", "DATE", True),
        ("the value of 24-15 is", "24-15", "DATE", False),  # a subtraction
        ("due 3/14 .", "3/14", "DATE", True),  # with a cue
        ("in June we", "June", "DATE", False),  # a bare month
        ("so 0kay then", "0kay", "DATE", False),  # a bad transcript
        ("one fourth of", "fourth", "DATE", False),
        ("in nineteen fifty nine we", "nineteen fifty nine", "DATE", True),
        ("on the 14th , due", "14th", "DATE", True),
        ("on Tuesday", "Tuesday", "DATE", False),  # a bare weekday
        ("write ana at x dot org", "ana at x dot org", "EMAIL_ADDRESS", True),
        ("write ana", "ana", "EMAIL_ADDRESS", False),
        ("write info@x.org now", "info@x.org", "EMAIL_ADDRESS", False),  # the rules passed it over as a shared mailbox
        ("see bit.ly/3x", "bit.ly/3x", "URL", True),
        ("see there", "there", "URL", False),
        ("from 41.90.7.112 in", "41.90.7.112", "IP_ADDRESS", True),
        ("take MATH 1205 in", "MATH 1205", "COURSE_NUMBER", True),
        ("take math in", "math", "COURSE_NUMBER", False),
        ("hi 王芳 !", "王芳", "PERSON", True),  # letters of any script
        ("slope of D is", "D", "PERSON", False),
        ("minus B. X. and", "B. X.", "PERSON", False),  # letters of a formula
        ("by M.L. and", "M.L.", "PERSON", True),  # initials
        ("Oh , my", "Oh", "PERSON", False),
        ("take the cosine of", "cosine", "PERSON", False),  # a common word
        ("thanks grace !", "grace", "PERSON", True),  # a common word that is a name as well
        ("hi [STUDENT_2] !", "STUDENT_2", "PERSON", False),  # a name was taken out here
        ("in 3.5 km", "3.5", "LOCATION", False),
        ("a sophomore", "sophomore", "GRADE_LEVEL", True),  # no least form
    ],
)
def test_the_least_form_of_a_label(nlp, text, surface, label, expected):
    doc = nlp.make_doc(text)
    start = text.index(surface)
    span = doc.char_span(start, start + len(surface), alignment_mode="expand")
    assert has_form(doc, span.start, span.end, label) is expected
