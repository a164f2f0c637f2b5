package dev.parley.protocol.agent;

/** @param alt the text to show instead of the image */
public record UiImage(String url, String alt) implements UiNode {}
