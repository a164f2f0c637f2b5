package dev.parley.protocol.agent;

/** Navigates within the frontend: a path without a host. */
public record UiNavigationAction(String path) implements UiAction {}
