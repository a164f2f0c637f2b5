package dev.parley.protocol.ingest;

import java.util.List;

/** What became of everything that a platform calls by one name. */
public record MessageTracePage(List<MessageTrace> traces) {}
