package dev.parley.threads;

import dev.parley.protocol.Actor;

/** A participant about to join; capabilities are bits. */
public record NewMemberRow(Actor actor, String displayName, short capabilities) {}
