package dev.parley.threads;

import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;

/** Whoever posts has read: up to what it says it has seen, else up to its own message. */
record ReadMark(ThreadId thread, Actor actor, long seq) implements Effect {}
