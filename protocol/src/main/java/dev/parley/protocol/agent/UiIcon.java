package dev.parley.protocol.agent;

/** @param source the form of the value: icon, emoji or url */
public record UiIcon(String source, String value) implements UiNode {}
