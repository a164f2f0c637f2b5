package dev.parley.protocol.ingest;

import java.util.List;

/** The traces of all events that share a platform's id. */
public record MessageTracePage(List<MessageTrace> traces) {}
