package dev.parley.protocol.agent;

/** A call of a tool as a model was shown it; the arguments are JSON as text. */
public record ContextCall(String id, String name, String arguments) {}
