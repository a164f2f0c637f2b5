package dev.parley.protocol.agent;

/** A tool call in a model's context; the arguments are JSON as text. */
public record ContextCall(String id, String name, String arguments) {}
