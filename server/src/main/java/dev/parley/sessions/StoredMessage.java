package dev.parley.sessions;

import java.util.List;

/**
 * A message's stored text, and the media that belong into it, in the order of their offsets. The bytes are shared and
 * never changed.
 */
record StoredMessage(byte[] json, List<Medium> media) {}
