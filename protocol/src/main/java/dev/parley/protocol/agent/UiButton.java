package dev.parley.protocol.agent;

/** @param style primary, secondary, ghost or danger */
public record UiButton(String label, String style, UiAction action) implements UiNode {}
