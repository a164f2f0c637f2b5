package dev.parley.protocol;

/** An invalid field, named by its JSON path, and its fault. */
public record FieldError(String field, String message) {}
