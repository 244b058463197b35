"""Notices to the person: what they say, and the channels they go through (source 000: e-mail, Telegram)."""

from __future__ import annotations

from activities.notices.channels import Channel, ChannelError, channels_of, problems_of
from activities.notices.composing import Message, Moment, compose

__all__ = ["Channel", "ChannelError", "Message", "Moment", "channels_of", "compose", "problems_of"]
