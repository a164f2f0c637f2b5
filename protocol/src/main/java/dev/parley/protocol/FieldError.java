package dev.parley.protocol;

/** An invalid field, by its JSON path, and the reason. */
public record FieldError(String field, String message) {}
