package dev.parley.delivery;

import dev.parley.basics.Sha256;
import dev.parley.protocol.ThreadId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A part of a message in the queue. Its ids are derived from its message, so that the decision stays pure.
 *
 * @param revises the seq of the message that this part revises; null for a part of a new message
 * @param part number of the part, from 1
 */
record QueuedParcel(
        UUID id,
        UUID destination,
        ThreadId thread,
        long seq,
        String messageId,
        @Nullable String runId,
        @Nullable Long revises,
        int part,
        int parts,
        String content,
        String marker) {
    static QueuedParcel of(
            UUID destination,
            ThreadId thread,
            long seq,
            String messageId,
            @Nullable String runId,
            @Nullable Long revises,
            int part,
            int parts,
            String content) {
        byte[] digest =
                Sha256.of((destination + "/" + thread + "/" + seq + "/" + part).getBytes(StandardCharsets.UTF_8));
        ByteBuffer first = ByteBuffer.wrap(digest, 0, 16);
        return new QueuedParcel(
                new UUID(first.getLong(), first.getLong()),
                destination,
                thread,
                seq,
                messageId,
                runId,
                revises,
                part,
                parts,
                content,
                Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(digest, 16, 32)));
    }
}
