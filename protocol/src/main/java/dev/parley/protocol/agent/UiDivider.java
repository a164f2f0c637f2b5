package dev.parley.protocol.agent;

/** A line between what stands before and after it. */
public record UiDivider() implements UiNode {}
