import ipaddress

import pytest

DOCUMENTATION = [
    ipaddress.ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


@pytest.mark.parametrize(
    "surface, tail",
    [
        ("41.90.7.112", ""),
        ("41.90.7.112:8080", ":8080"),
        ("10.0.0.1/24", "/24"),
        ("2a00:1450:4009::200e", ""),
        ("FE80::1", ""),
        # Already one of the reserved addresses.
        ("192.0.2.1", ""),
    ],
)
def test_address_is_of_a_range_for_documentation(replace_one, surface, tail):
    for key in (b"1", b"2", b"3"):
        new = replace_one("IP_ADDRESS", surface, key=key)
        assert new.endswith(tail) and new != surface
        address = ipaddress.ip_address(new[: len(new) - len(tail)])
        assert any(address in network for network in DOCUMENTATION)
        assert address.version == (6 if surface.count(":") > 1 else 4)


def test_one_connection_stays_one(replace_all):
    new = replace_all([("IP_ADDRESS", "41.90.7.112"), ("IP_ADDRESS", "41.90.7.112:80"), ("IP_ADDRESS", "41.90.7.113")])
    assert new["IP_ADDRESS", "41.90.7.112:80"] == new["IP_ADDRESS", "41.90.7.112"] + ":80"
    assert new["IP_ADDRESS", "41.90.7.113"] != new["IP_ADDRESS", "41.90.7.112"]


@pytest.mark.parametrize("surface", ["999.1", "::", "my address", "1.2.3"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("IP_ADDRESS", surface) != surface
