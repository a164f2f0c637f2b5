package dev.parley.protocol;

/** One field at fault, by its JSON path, and what is wrong with it. */
public record FieldError(String field, String message) {}
