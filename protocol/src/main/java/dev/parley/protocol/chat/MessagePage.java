package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Messages in ascending seq.
 *
 * @param hasMore whether the log holds further messages in the direction of reading; a filtered page may be short, or
 *     empty, although it does
 * @param nextAfterSeq the cursor that continues forwards from this page
 * @param nextBeforeSeq the cursor that continues backwards from this page
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MessagePage(List<Message> messages, boolean hasMore, long nextAfterSeq, long nextBeforeSeq) {}
