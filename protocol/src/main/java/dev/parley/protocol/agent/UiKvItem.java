package dev.parley.protocol.agent;

/** A label and its value. */
public record UiKvItem(String label, String value) {}
