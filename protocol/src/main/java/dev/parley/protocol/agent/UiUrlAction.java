package dev.parley.protocol.agent;

/** Opens an https page outside of the frontend. */
public record UiUrlAction(String url) implements UiAction {}
