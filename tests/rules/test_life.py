"""Ages, school years, courses, dates and addresses."""

import pytest

from spacy_pii.rules.addresses import find_addresses
from spacy_pii.rules.ages import find_ages
from spacy_pii.rules.base import Source
from spacy_pii.rules.courses import find_courses
from spacy_pii.rules.dates import find_dates
from spacy_pii.rules.grades import find_grades


def _surfaces(find, text):
    return sorted({text[match.start : match.end] for match in find(Source(text))})


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I am 14.", ["14"]),
        ("im fourteen lol", ["fourteen"]),
        ("I'm fourteen years old", ["fourteen years old"]),
        ("I just turned 12!", ["12"]),
        ("when i was 9 we moved", ["9"]),
        ("My daughter is 7 years old.", ["7 years old"]),
        ("my mother, aged 54, works", ["54"]),
        ("my 7-year-old son", ["7-year-old"]),
        ("I am a 15-year-old student", ["15-year-old"]),
        ("My son is here. He is 9.", ["9"]),
        ("How old is she?\nnine", ["nine"]),
        ("Age: 14", ["14"]),
        ("tengo 14 años", ["14 años"]),
        # Word problems and stories
        ("Tom is 5 years old and Ana is 8. He is 5.", []),
        ("A 14-year-old boy walks 3 miles.", []),
        # Not ages
        ("I am 14 minutes late. I'm 100% sure. I am 5.5. I'm 3rd. I am 14 = x", []),
        ("I turned 12 pages", []),
        ("my brother is 12 inches taller", []),
    ],
)
def test_ages(text, expected):
    assert _surfaces(find_ages, text) == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I'm in 7th grade.", ["7th grade"]),
        ("i am a grade 10 student", ["grade 10"]),
        ("My son is in Year 9", ["Year 9"]),
        ("I am a sophomore", ["sophomore"]),
        ("I'm a senior this year", ["senior"]),
        ("What grade are you in?\n7th grade", ["7th grade"]),
        ("by Mateo, 7th grade", ["7th grade"]),
        # Marks, levels, jobs, lessons
        ("I got grade 10 in maths", []),
        ("I'm reading grade 5-level content", []),
        ("I'm a senior developer", []),
        ("this is my first class", []),
        ("Each 7th grade student solves 5 tasks.", []),
        ("one-third were sophomores, the rest junior", []),
    ],
)
def test_grades(text, expected):
    assert _surfaces(find_grades, text) == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I take MATH 1205 and CS101", ["CS101", "MATH 1205"]),
        ("BIO-110 comes in as an elective", ["BIO-110"]),
        ("my class is Alg2H", ["Alg2H"]),
        ("i dropped psych 301", ["psych 301"]),
        # Rooms, words, standards, formulas
        ("room MATH 204, H2O, A4, ISO 9001, COVID 2019", []),
        ("IT 200 people came", []),
        ("MATH 1205 = x, MATH 12", []),
    ],
)
def test_courses(text, expected):
    assert _surfaces(find_courses, text) == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I was born on 3 May 2009.", ["3 May 2009"]),
        ("DOB: 03/05/2009", ["03/05/2009"]),
        ("the exam on Tuesday, March 3, 2021", ["Tuesday, March 3, 2021"]),
        ("it's due 3/14", ["3/14"]),
        ("When is your test?\n3/14", ["3/14"]),
        ("see you on March 14th!", ["March 14th"]),
        ("Date: 2021-03-03", ["2021-03-03"]),
        ("2021-03-03 14:22 hello", ["2021-03-03 14:22"]),
        ("On Tue, Mar 3, 2021 at 2:15 PM Liv wrote:", ["Tue, Mar 3, 2021 at 2:15 PM"]),
        ("nací el 3 de mayo de 2009", ["3 de mayo de 2009"]),
        ("I was born in 1987 and graduated in 2012.", ["1987", "2012"]),
        # History and citations
        ("The treaty was signed on June 28, 1919.", []),
        ("Newton was born on 4 January 1643.", []),
        ("Smith, J. (2009, May 3). Title. Journal of Things, 3(1).", []),
        ("Retrieved March 3, 2014, from the web", []),
        # Mathematics
        ("3/14 + 2/7 = 1/2", []),
        ("3/14 of 28, a 5-12-13 triangle, 10/12/2000 = x", []),
        ("you may 5 times march 3 steps", []),
        # Too vague to count
        ("on Tuesday in March at 3:15, or in 2021", []),
    ],
)
def test_dates(text, expected):
    assert _surfaces(find_dates, text) == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("14 Mill Lane, Leeds LS2 7EW", ["14 Mill Lane, Leeds LS2 7EW"]),
        ("2210 W Oak Street Apt 4, Dayton, OH 45402.", ["2210 W Oak Street Apt 4, Dayton, OH 45402"]),
        ("i live at 14 mill lane", ["14 mill lane"]),
        ("12 rue de la Paix, 75002 Paris", ["12 rue de la Paix, 75002 Paris"]),
        ("Calle Mayor 12, 28013 Madrid", ["Calle Mayor 12, 28013 Madrid"]),
        ("Lindenstraße 5, 10969 Berlin", ["Lindenstraße 5, 10969 Berlin"]),
        ("P.O. Box 1234", ["P.O. Box 1234"]),
        # Famous doors and mathematics
        ("10 Downing Street", []),
        ("2 Perfect Square, 4 Unit Circle, 3 Way, 5 Straight Angle", []),
        ("walk 14 miles", []),
    ],
)
def test_addresses(text, expected):
    assert _surfaces(find_addresses, text) == sorted(expected)
