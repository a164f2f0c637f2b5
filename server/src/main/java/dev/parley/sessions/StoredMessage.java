package dev.parley.sessions;

import java.util.List;

/**
 * A message's text as it is stored, and the media that belong into it, in the order of their places. The bytes are the
 * message's own; nobody changes them.
 */
record StoredMessage(byte[] json, List<Medium> media) {}
