package dev.parley.protocol.agent;

/** @param source what the value is: icon, emoji or url */
public record UiIcon(String source, String value) implements UiNode {}
