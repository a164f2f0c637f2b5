package dev.parley.protocol.chat;

import java.util.List;

/** The caller's links to senders on other platforms. */
public record IdentityLinkPage(List<IdentityLinkView> links) {}
