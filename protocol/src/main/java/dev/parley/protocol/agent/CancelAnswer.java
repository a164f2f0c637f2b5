package dev.parley.protocol.agent;

/** @param status accepted, finished or unknown */
public record CancelAnswer(String status) {}
