package dev.parley.protocol.agent;

/**
 * A fresh URL of an object.
 *
 * @param url the URL, valid for an hour
 */
public record AttachmentUrl(String bucket, String path, String url) {}
