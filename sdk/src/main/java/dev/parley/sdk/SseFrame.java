package dev.parley.sdk;

/**
 * One dispatched frame of an event stream.
 *
 * @param lastEventId the stream's last event id, which frames without an id inherit
 * @param hasId whether this frame itself has an id; frames without one are live only and not repeated
 */
public record SseFrame(String event, String data, String lastEventId, boolean hasId) {}
