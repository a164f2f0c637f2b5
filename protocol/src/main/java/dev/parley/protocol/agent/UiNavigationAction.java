package dev.parley.protocol.agent;

/** Navigates to a path within the frontend. The path has no host. */
public record UiNavigationAction(String path) implements UiAction {}
