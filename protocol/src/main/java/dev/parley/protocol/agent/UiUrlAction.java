package dev.parley.protocol.agent;

/** Opens a page elsewhere, by https. */
public record UiUrlAction(String url) implements UiAction {}
