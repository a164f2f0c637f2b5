package dev.parley.sdk;

/**
 * One dispatched frame of an event stream.
 *
 * @param lastEventId the stream's last event id, which frames without an id inherit
 * @param hasId true if this frame itself has an id; a frame without an id is sent live only and not repeated
 */
public record SseFrame(String event, String data, String lastEventId, boolean hasId) {}
