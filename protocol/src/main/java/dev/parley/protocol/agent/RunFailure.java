package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/** Why a run failed. */
public record RunFailure(@Nullable String code, String message) {}
