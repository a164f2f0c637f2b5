package dev.parley.protocol.agent;

/** Goes somewhere within the frontend: a path without a host. */
public record UiNavigationAction(String path) implements UiAction {}
