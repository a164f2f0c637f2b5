package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A webhook of a thread; its secret is shown only in the answer that creates the webhook.
 *
 * @param state {@code on} or {@code off}
 * @param failingSince the time of the first failure since the last accepted event; null if there was no failure
 * @param problem the reason of the failures or of the state {@code off}, in a sentence
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record WebhookView(
        String webhookId,
        ThreadId threadId,
        Actor owner,
        String callbackUrl,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String secret,
        String state,
        @Nullable Instant failingSince,
        int failures,
        @Nullable String problem,
        Instant createdAt) {}
