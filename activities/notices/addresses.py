"""Which addresses a webhook may have: none that is inside (SERVICE_SECURITY 19).

The rules are checked on the address as it is written and, when a notice is sent, on every address that the name has. The
connection then goes to addresses that passed: a name that points elsewhere a moment later (rebinding) is not asked again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import urlsplit

from activities.notices.channels import ChannelError
from activities.notices.posting import Address

DENIED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/8", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "2002::/16",
        "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
)  # fmt: skip
"""Loopback, private, link-local, carrier-grade, documentation, benchmark, multicast, reserved, a cloud's own service at a
public address (168.63.129.16), and every form of IPv6 that carries an IPv4 address (compatible, mapped, translated, 6to4,
Teredo). `is_global` alone lets several of these through."""

UNICAST = ipaddress.ip_network("2000::/3")
"""The only part of IPv6 of which addresses are given out."""

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""A name with a dot, in ASCII lower case, whose last label begins with a letter: no address in any notation is one."""
_PLAIN = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
"""What a host of the allow-list may be written with: a name or an address, in whatever notation the operator likes."""

MEND = "write a public https:// address, or name its host in BOARDROOM_WEBHOOK_ALLOWED_HOSTS"

Resolver = Callable[[str, int], Awaitable[list[str]]]
Allowed = frozenset[tuple[str, int | None]]
"""Hosts of the operator's own list; without a port, any."""


def denied(address: str) -> bool:
    """Whether an address is inside, or none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return True
    if found.version == 6 and found not in UNICAST:
        return True
    return not found.is_global or any(found in network for network in DENIED if network.version == found.version)


async def resolve(host: str, port: int) -> list[str]:
    """Every address of a name, as the system resolves it and in its order. OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def allowed_hosts(text: str) -> Allowed:
    """The allow-list as the setting has it: "127.0.0.1, hooks.lan:8123, [::1]:9000". ValueError is what is no host."""
    found = set()
    for entry in (part.strip().lower() for part in text.split(",")):
        if not entry:
            continue
        bare = entry.count(":") > 1 and not entry.startswith("[")  # an IPv6 address without brackets, hence without a port
        try:
            parts = urlsplit(f"//[{entry}]" if bare else f"//{entry}")
            host, port = parts.hostname or "", parts.port
        except ValueError:
            host, port = "", None
        if not _PLAIN.fullmatch(host) or parts.netloc.strip("[]") != entry.strip("[]") or "@" in entry:
            raise ValueError(entry[:60])
        found.add((host, port))
    return frozenset(found)


def address_of(url: str, allowed: Allowed) -> Address:
    """Check an address as it is written; nothing is resolved. Raises ChannelError, which no attempt can mend.

    A host of the operator's own allow-list may be anything, over http and on any port; every other one must be a public
    name over https on port 443.
    """
    if any(ord(c) <= 32 or ord(c) > 126 or c == "\\" for c in url):
        raise _refused("it holds characters that no address has (a name in another script is written as xn--…)")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("it cannot be read") from None
    host = parts.hostname or ""  # urlsplit gives it in lower case
    if "@" in parts.netloc:
        raise _refused("it names a user")
    if not host or parts.scheme not in ("https", "http"):
        raise _refused("it does not begin with https://")
    if "#" in url:
        raise _refused("it has a part after #, which is never sent")
    tls = parts.scheme == "https"
    port = port if port is not None else 443 if tls else 80
    if not trusted(host, port, allowed):
        if not tls:
            raise _refused("it is not https")
        if port != 443:
            raise _refused("its port is not 443")
        if not _HOST.fullmatch(host):
            raise _refused("its host is not a public name")
    return Address(tls, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def trusted(host: str, port: int, allowed: Allowed) -> bool:
    """Whether the operator named this host, with this port or with none."""
    return bool({(host, None), (host, port)} & allowed)


async def pinned(address: Address, allowed: Allowed, resolver: Resolver = resolve, setting: str = "its setting") -> Address:
    """The address with what its name resolves to now. ChannelError when one of these is inside and the operator did not
    name the host, or when there is none."""
    try:
        found = await resolver(address.host, address.port)
    except OSError:
        found = []
    if not found:
        raise ChannelError(f"The webhook's host has no address: check its name in {setting}, and the network.")
    if not trusted(address.host, address.port, allowed) and any(denied(one) for one in found):
        raise _refused("its host is inside")
    return replace(address, pinned=tuple(found[:4]))


def _refused(why: str) -> ChannelError:
    return ChannelError(f"The webhook's address is refused, because {why}: {MEND}.", retryable=False)
