"""Addresses that a webhook never has (SERVICE_SECURITY 19): refused as they are written, or by what they resolve to."""

from __future__ import annotations

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.notices.addresses import DENIED, address_of, allowed_hosts, denied, pinned, resolve
from activities.notices.channels import ChannelError
from activities.notices.posting import Address

NOBODY = allowed_hosts("")

NEVER = (
    # Not https, not an address of the web
    ("http", "http://hooks.example.org/", "it is not https"),
    ("ftp", "ftp://hooks.example.org/", "it does not begin with https://"),
    ("file", "file:///etc/passwd", "it does not begin with https://"),
    ("gopher", "gopher://hooks.example.org:443/_x", "it does not begin with https://"),
    ("no scheme", "hooks.example.org/x", "it does not begin with https://"),
    ("only slashes", "//hooks.example.org/", "it does not begin with https://"),
    ("no host", "https:///x", "it does not begin with https://"),
    ("one slash", "https:/hooks.example.org", "it does not begin with https://"),
    ("opaque", "https:hooks.example.org", "it does not begin with https://"),
    ("empty", "", "it does not begin with https://"),
    # IPv4 in every notation
    ("loopback", "https://127.0.0.1/", "its host is not a public name"),
    ("short loopback", "https://127.1/", "its host is not a public name"),
    ("shorter loopback", "https://127.0.1/", "its host is not a public name"),
    ("hexadecimal", "https://0x7f000001/", "its host is not a public name"),
    ("hexadecimal parts", "https://0x7f.0x0.0x0.0x1/", "its host is not a public name"),
    ("decimal", "https://2130706433/", "its host is not a public name"),
    ("octal", "https://0177.0.0.1/", "its host is not a public name"),
    ("octal whole", "https://017700000001/", "its host is not a public name"),
    ("zero", "https://0/", "its host is not a public name"),
    ("unspecified", "https://0.0.0.0/", "its host is not a public name"),
    ("overflow", "https://425.510.425.510/", "its host is not a public name"),
    ("metadata", "https://169.254.169.254/latest/meta-data/", "its host is not a public name"),
    ("private", "https://10.0.0.1/", "its host is not a public name"),
    ("public literal", "https://93.184.215.14/", "its host is not a public name"),
    ("dot at the end of an address", "https://127.0.0.1./", "its host is not a public name"),
    # IPv6
    ("loopback 6", "https://[::1]/", "its host is not a public name"),
    ("unspecified 6", "https://[::]/", "its host is not a public name"),
    ("mapped", "https://[::ffff:127.0.0.1]/", "its host is not a public name"),
    ("mapped hexadecimal", "https://[::ffff:7f00:1]/", "its host is not a public name"),
    ("translated", "https://[64:ff9b::7f00:1]/", "its host is not a public name"),
    ("6to4", "https://[2002:7f00:1::]/", "its host is not a public name"),
    ("with a zone", "https://[fe80::1%25eth0]/", "its host is not a public name"),
    ("unique local", "https://[fd00:ec2::254]/", "its host is not a public name"),
    ("bracket left open", "https://[::1/", "it cannot be read"),
    ("brackets around a name", "https://[hooks.example.org]/", "it cannot be read"),
    # Who is asked for
    ("user", "https://me@hooks.example.org/", "it names a user"),
    ("user and password", "https://me:secret@hooks.example.org/", "it names a user"),
    ("name as user", "https://hooks.example.org@127.0.0.1/", "it names a user"),
    ("name as user, twice", "https://hooks.example.org@127.0.0.1@evil.example/", "it names a user"),
    ("no user before @", "https://@hooks.example.org/", "it names a user"),
    ("backslash", "https://hooks.example.org\\@127.0.0.1/", "it holds characters"),
    ("backslashes for slashes", "https:\\\\127.0.0.1/", "it holds characters"),
    # Ports
    ("port 80", "https://hooks.example.org:80/", "its port is not 443"),
    ("port 8443", "https://hooks.example.org:8443/", "its port is not 443"),
    ("port 22", "https://hooks.example.org:22/", "its port is not 443"),
    ("port 0", "https://hooks.example.org:0/", "its port is not 443"),
    ("port too large", "https://hooks.example.org:70000/", "it cannot be read"),
    ("port no number", "https://hooks.example.org:443x/", "it cannot be read"),
    ("two ports", "https://hooks.example.org:443:80/", "it cannot be read"),
    # Names
    ("localhost", "https://localhost/", "its host is not a public name"),
    ("one label", "https://router/", "its host is not a public name"),
    ("dot at the end", "https://hooks.example.org./", "its host is not a public name"),
    ("localhost with a dot", "https://localhost./", "its host is not a public name"),
    ("empty label", "https://hooks..example.org/", "its host is not a public name"),
    ("underscore", "https://hooks_1.example.org/", "its host is not a public name"),
    ("percent", "https://%31%32%37.0.0.1/", "its host is not a public name"),
    ("percent in a name", "https://hooks%2eexample.org/", "its host is not a public name"),
    ("last label a number", "https://hooks.example.1/", "its host is not a public name"),
    ("long label", f"https://{'a' * 64}.org/", "its host is not a public name"),
    ("long name", f"https://{'a.' * 127}org/", "its host is not a public name"),
    # Other scripts
    ("circled digits", "https://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/", "it holds characters"),
    ("full-width digits", "https://\uff11\uff12\uff17.0.0.1/", "it holds characters"),
    ("ideographic full stop", "https://127\u30020\u30020\u30021/", "it holds characters"),
    ("circled letters", "https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/", "it holds characters"),
    ("another script", "https://b\u00fccher.example/", "it holds characters"),
    ("cyrillic letters", "https://h\u043e\u043eks.example.org/", "it holds characters"),
    ("soft hyphen", "https://local\u00adhost/", "it holds characters"),
    ("zero-width space", "https://hooks.example.org\u200b/", "it holds characters"),
    # What would end a line or a part
    ("line end", "https://hooks.example.org/\r\nHost: 127.0.0.1", "it holds characters"),
    ("tab in the host", "https://127.0.\t0.1/", "it holds characters"),
    ("line end in the scheme", "ht\ntps://127.0.0.1/", "it holds characters"),
    ("space before", " https://hooks.example.org/", "it holds characters"),
    ("space within", "https://hooks.example.org /", "it holds characters"),
    ("null", "https://hooks.example.org\x00.evil.example/", "it holds characters"),
    ("fragment", "https://hooks.example.org/#@127.0.0.1/", "it has a part after #"),
    ("fragment at the host", "https://hooks.example.org#@127.0.0.1/", "it has a part after #"),
)  # fmt: skip


@pytest.mark.parametrize(("_name", "url", "why"), NEVER, ids=[name for name, _, _ in NEVER])
def test_an_address_that_could_lead_inside_is_refused_as_it_is_written(_name: str, url: str, why: str) -> None:
    with pytest.raises(ChannelError) as raised:
        address_of(url, NOBODY)
    said = str(raised.value)
    assert why in said and not raised.value.retryable and not raised.value.unsure
    assert said.endswith("or name its host in BOARDROOM_WEBHOOK_ALLOWED_HOSTS.")
    assert url not in said or not url, "an address may hold a secret"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://hooks.example.org", Address(True, "hooks.example.org", 443, "/")),
        ("https://hooks.example.org:443/a/b?c=d&e", Address(True, "hooks.example.org", 443, "/a/b?c=d&e")),
        ("HTTPS://HOOKS.Example.ORG/Path", Address(True, "hooks.example.org", 443, "/Path")),
        ("https://xn--bcher-kva.example/", Address(True, "xn--bcher-kva.example", 443, "/")),
        ("https://1.hooks.example.org/?q", Address(True, "1.hooks.example.org", 443, "/?q")),
        ("https://hooks.example.org?q=1", Address(True, "hooks.example.org", 443, "/?q=1")),
    ],
)
def test_a_public_name_over_https_is_taken(url: str, address: Address) -> None:
    assert address_of(url, NOBODY) == address


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "0.1.2.3", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
        "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.0.192", "192.0.2.1",
        "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.1.1", "192.175.48.1", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:7f00:1", "64:ff9b::7f00:1",
        "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001::1", "2001:0:7f00:1::", "2001:2::1",
        "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "2620:4f:8000::1", "3fff::1",
        "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
        "", "localhost", "127.1", "0x7f000001", "2130706433", "010.0.0.1", "1.2.3.4.5",
    ],
)  # fmt: skip
def test_an_address_inside_is_denied(address: str) -> None:
    assert denied(address)


def test_what_the_library_calls_global_is_denied_by_name() -> None:
    """Each was measured to pass `is_global` (SERVICE_SECURITY 19)."""
    for network, example in (("64:ff9b::/96", "64:ff9b::7f00:1"), ("2002::/16", "2002:7f00:1::"), ("224.0.0.0/4", "224.0.0.1")):
        assert ipaddress.ip_network(network) in DENIED and denied(example)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "172.32.0.1", "2606:2800:21f::1", "2a00:1450::1"]
)
def test_a_public_address_is_not_denied(address: str) -> None:
    assert not denied(address)


@given(st.sampled_from(DENIED), st.data())
def test_every_address_of_a_denied_network_is_denied(
    network: ipaddress.IPv4Network | ipaddress.IPv6Network, data: st.DataObject
) -> None:
    found = network[data.draw(st.integers(0, network.num_addresses - 1))]
    assert denied(str(found))
    if found.version == 4:  # and in every form of IPv6 that carries it
        carried = int(found)
        for prefix in (0, 0xFFFF << 32, 0xFFFF << 48, 0x64FF9B << 96):
            assert denied(str(ipaddress.IPv6Address(prefix | carried)))
        assert denied(str(ipaddress.IPv6Address(0x2002 << 112 | carried << 80)))
        assert denied(str(ipaddress.IPv6Address(0x20010000 << 96 | (carried ^ 0xFFFFFFFF))))  # Teredo hides it inverted


async def found_at(*addresses: str, allowed: str = "") -> Address:
    async def resolver(_host: str, _port: int) -> list[str]:
        return list(addresses)

    hosts = allowed_hosts(allowed)
    return await pinned(address_of("https://hooks.example.org/", hosts), hosts, resolver)


async def test_one_address_inside_among_public_ones_is_enough_to_refuse() -> None:
    assert (await found_at("93.184.215.14", "2606:2800:21f::1")).pinned == ("93.184.215.14", "2606:2800:21f::1")
    for inside in ("127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fe80::1%lo"):
        for order in (("93.184.215.14", inside), (inside, "93.184.215.14")):
            with pytest.raises(ChannelError, match="its host is inside") as raised:
                await found_at(*order)
            assert not raised.value.retryable


async def test_a_name_of_many_addresses_has_all_of_them_checked_and_a_few_of_them_tried() -> None:
    many = [f"93.184.215.{number}" for number in range(1, 9)]
    assert (await found_at(*many)).pinned == tuple(many[:4])
    with pytest.raises(ChannelError, match="its host is inside"):
        await found_at(*many, "10.0.0.1")


async def test_a_name_without_an_address_may_have_one_later() -> None:
    with pytest.raises(ChannelError, match="has no address") as raised:
        await found_at()
    assert raised.value.retryable and not raised.value.unsure

    async def broken(_host: str, _port: int) -> list[str]:
        raise OSError("name server CANARY away")

    with pytest.raises(ChannelError, match="has no address") as raised:
        await pinned(address_of("https://hooks.example.org/", NOBODY), NOBODY, broken)
    assert raised.value.retryable and "CANARY" not in str(raised.value)


async def test_the_systems_resolver_is_asked_and_what_it_says_is_checked() -> None:
    """`localhost` in the operator's words resolves; unnamed, what it resolves to is denied."""
    found = await resolve("localhost", 443)
    assert found and all(denied(address) for address in found)


async def test_a_host_that_the_operator_names_may_be_inside_over_http_and_on_any_port() -> None:
    allowed = allowed_hosts("127.0.0.1, home.lan:8123, [::1]:9000, fd00::5, LOCALHOST, 127.1")
    for url in (
        "http://127.0.0.1:5000/x", "https://127.0.0.1/", "http://home.lan:8123/hook", "http://[::1]:9000/", "http://[fd00::5]/",
        "http://localhost:1/", "http://127.1/",
    ):  # fmt: skip
        address = address_of(url, allowed)

        async def inside(_host: str, _port: int) -> list[str]:
            return ["127.0.0.1"]

        assert (await pinned(address, allowed, inside)).pinned == ("127.0.0.1",)
    for url in ("http://home.lan/", "http://[::1]/", "https://home.lan:8124/", "http://me@127.0.0.1/", "http://127.0.0.2/"):
        with pytest.raises(ChannelError):
            address_of(url, allowed)
    assert (await found_at("10.0.0.1", allowed="hooks.example.org")).pinned == ("10.0.0.1",)
    with pytest.raises(ChannelError, match="its host is inside"):
        await found_at("10.0.0.1", allowed="example.org,oks.example.org,hooks.example.org:8443")


@pytest.mark.parametrize(
    "entry",
    ["http://home.lan", "home.lan/x", "me@home.lan", "home.lan:x", "home.lan:70000", "*.lan", "ho me", "[::1", "a?b", "\u24db"],
)
def test_an_entry_that_is_no_host_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(entry)}$"):
        allowed_hosts(f"home.lan, {entry}")
