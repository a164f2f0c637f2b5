package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Messages in ascending seq.
 *
 * @param hasMore true if the log has further messages in the direction of reading; even then a filtered page may be
 *     short or empty
 * @param nextAfterSeq the cursor that continues forwards from this page
 * @param nextBeforeSeq the cursor that continues backwards from this page
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MessagePage(List<Message> messages, boolean hasMore, long nextAfterSeq, long nextBeforeSeq) {}
