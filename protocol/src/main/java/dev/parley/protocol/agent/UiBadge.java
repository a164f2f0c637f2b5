package dev.parley.protocol.agent;

/** @param status info, success, warning, error or pending */
public record UiBadge(String label, String status) implements UiNode {}
