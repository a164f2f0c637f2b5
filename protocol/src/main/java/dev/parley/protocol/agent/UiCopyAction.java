package dev.parley.protocol.agent;

/** Puts a text into the clipboard. */
public record UiCopyAction(String text) implements UiAction {}
