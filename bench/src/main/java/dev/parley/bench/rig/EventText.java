package dev.parley.bench.rig;

/** A server-sent event as it came; what it does not say is empty. */
public record EventText(String id, String type, String data) {}
