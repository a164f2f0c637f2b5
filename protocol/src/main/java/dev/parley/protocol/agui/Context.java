package dev.parley.protocol.agui;

/** A fact for the agent, for this run only. */
public record Context(String description, String value) {}
