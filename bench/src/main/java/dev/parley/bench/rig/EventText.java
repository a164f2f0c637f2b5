package dev.parley.bench.rig;

/** A server-sent event as received; a missing field is empty. */
public record EventText(String id, String type, String data) {}
