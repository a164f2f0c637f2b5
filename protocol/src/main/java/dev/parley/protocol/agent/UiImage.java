package dev.parley.protocol.agent;

/** @param alt what to say where it cannot be shown */
public record UiImage(String url, String alt) implements UiNode {}
