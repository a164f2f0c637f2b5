package dev.parley.protocol.agent;

/** A line between two elements. */
public record UiDivider() implements UiNode {}
