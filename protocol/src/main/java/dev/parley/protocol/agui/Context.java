package dev.parley.protocol.agui;

/** Something the agent shall know for this run only. */
public record Context(String description, String value) {}
