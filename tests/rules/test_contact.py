"""E-mails, telephone numbers, links, handles and network addresses."""

import pytest

from spacy_pii.rules.base import Source
from spacy_pii.rules.emails import find_emails
from spacy_pii.rules.handles import find_handles
from spacy_pii.rules.network import find_network_addresses
from spacy_pii.rules.phones import find_phones
from spacy_pii.rules.urls import find_urls

REGIONS = ("US", "GB", "GH", "NG", "IN", "DE", "IT")


def _surfaces(matches, text, label):
    return sorted({text[match.start : match.end] for match in matches if match.label == label})


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Write to olivia.m@gmail.com.", ["olivia.m@gmail.com"]),
        ("mail me (kwame+hw@uni-dakar.sn)", ["kwame+hw@uni-dakar.sn"]),
        # Marks that keep machines out
        ("tran [at] school dot edu", ["tran [at] school dot edu"]),
        ("tran(at)site.org, ok?", ["tran(at)site.org"]),
        ("tran.mai {at} school {dot} edu", ["tran.mai {at} school {dot} edu"]),
        ("mine is olivia dot m at gmail dot com", ["olivia dot m at gmail dot com"]),
        # What people leave out
        ("olivia07@gmail and that's it", ["olivia07@gmail"]),
        # Two sentences that lost their space
        ("It is tran@yahoo.com.Thanks", ["tran@yahoo.com"]),
        ("ömer.yıldız@okul.edu.tr", ["ömer.yıldız@okul.edu.tr"]),
        # Nobody's mailbox
        ("info@school.org, admissions@uni.edu, no-reply@lms.com, support-uk@site.org", []),
        ("post to all@lists.school.org", []),
        # No addresses
        ("look at the dot plot at noon", []),
        ("see the videos at khanacademy dot org", []),
        ("3 @ 4 is 12", []),
        ("@", []),
    ],
)
def test_emails(text, expected):
    assert _surfaces(find_emails(Source(text)), text, "EMAIL_ADDRESS") == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("617-555-0143", ["617-555-0143"]),
        ("(617) 555-0143 is mine", ["(617) 555-0143"]),
        ("(617)555-0143x36034", ["(617)555-0143x36034"]),
        ("001-617-555-0177x663 or 617.555.2027", ["001-617-555-0177x663", "617.555.2027"]),
        ("+44 20 7946 0018", ["+44 20 7946 0018"]),
        ("+233 24 555 0119, evenings", ["+233 24 555 0119"]),
        # A bare number needs a word that announces it
        ("my phone is 6175550143", ["6175550143"]),
        ("I got 6175550143 for question 2", []),
        ("text me at 555-0143", ["555-0143"]),
        ("whatsapp 98765 43210", ["98765 43210"]),
        # Answered in the next line
        ("Tutor: what's your number?\nStudent: 98765 43210", ["98765 43210"]),
        ("call me six one seven five five five oh one four three", ["six one seven five five five oh one four three"]),
        # Arithmetic
        ("555-1234 = -679", []),
        ("800 - 617-555-0143", []),
        ("617-555-0143 = x", []),
        ("1607635102 is the product", []),
        ("2.818181818", []),
        ("0 point 617-555-0143", []),
        # Counting on the phone
        ("call it: one two three four five six seven eight", []),
        # Helplines and toll-free numbers
        ("the crisis helpline is 617-555-0199", []),
        ("call 1-800-555-0199 for support", []),
        ("dates on my phone: 2021-03-14 and 14-03-2021", []),
        ("12345678910 on your phone", []),
    ],
)
def test_phones(text, expected):
    assert _surfaces(find_phones(Source(text), REGIONS), text, "PHONE_NUMBER") == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("https://www.linkedin.com/in/olivia-m.", ["https://www.linkedin.com/in/olivia-m"]),
        ("see linkedin.com/in/olivia-m, ok", ["linkedin.com/in/olivia-m"]),
        ("(https://docs.google.com/document/d/1aB/edit)", ["https://docs.google.com/document/d/1aB/edit"]),
        ("https://us02web.zoom.us/j/8451?pwd=x", ["https://us02web.zoom.us/j/8451?pwd=x"]),
        ("oliviam.wordpress.com and oliviam.blogspot.co.uk", ["oliviam.blogspot.co.uk", "oliviam.wordpress.com"]),
        ("https://cs.school.edu/~tran/", ["https://cs.school.edu/~tran/"]),
        ("read my blog www.oliviamarchetti.com!", ["www.oliviamarchetti.com"]),
        ("www.oliviamarchetti.com", []),
        # A video can be anybody's until somebody says whose
        ("https://youtu.be/aBcD1234", []),
        ("here is my presentation https://youtu.be/aBcD1234", ["https://youtu.be/aBcD1234"]),
        ("my video: https://bit.ly/3abc", ["https://bit.ly/3abc"]),
        # A cue speaks for the next link only
        ("my blog www.olivia.com and https://en.wikipedia.org/wiki/Ada", ["www.olivia.com"]),
        ("here is my source https://en.wikipedia.org/wiki/Ada", []),
        ("https://www.coursera.org/learn/design and https://doi.org/10.1/abc", []),
        ("https://github.com/numpy/numpy but github.com/oliviam07", ["github.com/oliviam07"]),
        # Glued sentences
        ("Open the menu.Keep going. Nice design.It works. Trust.me", []),
        ("f(x).com", []),
    ],
)
def test_urls(text, expected):
    assert _surfaces(find_urls(Source(text)), text, "URL") == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("add @oliviam07 and @liv_m.", ["@liv_m", "@oliviam07"]),
        ("username: kwame", ["kwame"]),
        ("my insta is liv.m07", ["liv.m07"]),
        ("discord: marchetti#1234", ["marchetti#1234"]),
        ("what's your username?\noliviam07", ["oliviam07"]),
        # Who wrote a post, and the same name later on
        ("oliviam07 wrote:\nhi\nthanks oliviam07!", ["oliviam07"]),
        ("posted by liv_m at noon", ["liv_m"]),
        # None of them
        ("@property\ndef area(self): ...", []),
        ("meet @ 5pm or @5pm, @home, @everyone", []),
        ("the username and password are wrong", []),
        ("Step2: solve. week6: done. Question3: 4x", []),
        ("olivia@gmail.com", []),
        ("handle x2 first", []),
    ],
)
def test_handles(text, expected):
    assert _surfaces(find_handles(Source(text)), text, "USERNAME") == sorted(expected)


def test_calling_by_name_is_a_person():
    text = "@Mateo you promised"
    assert _surfaces(find_handles(Source(text)), text, "PERSON") == ["@Mateo"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("sign-in from 41.90.7.112.", ["41.90.7.112"]),
        ("ip=41.90.7.112 ok", ["41.90.7.112"]),
        ("from 2001:db8:85a3::8a2e:370:7334", ["2001:db8:85a3::8a2e:370:7334"]),
        # Loopback, masks, private networks, exercises, versions
        ("127.0.0.1, 0.0.0.0, 255.255.255.0, 192.168.1.1, ::1", []),
        ("find the subnet of 200.10.5.17/28", []),
        ("version 3.12.0.4", []),
        # No octets, no addresses
        ("300.1.1.1 and 1.2.3.4.5", []),
        ("std::vector, 12:30:45, 1:2:3", []),
    ],
)
def test_network_addresses(text, expected):
    assert _surfaces(find_network_addresses(Source(text)), text, "IP_ADDRESS") == sorted(expected)
