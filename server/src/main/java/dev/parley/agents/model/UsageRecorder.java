package dev.parley.agents.model;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.RunName;
import dev.parley.basics.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the usage of a request, and retries for a while if that fails, so that a short outage of the database loses no
 * cost. Each failure is logged with the tokens and the cost.
 */
record UsageRecorder(int tries, Backoff backoff) {
    private static final Logger LOG = LoggerFactory.getLogger(UsageRecorder.class);

    static final UsageRecorder DEFAULT =
            new UsageRecorder(6, Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(16)));

    /** Stores the usage. Retries go on in the background; the run waits only for a moment. */
    void store(RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        UninterruptibleCall.finish(() -> storeWithRetries(run, request, usage, messageId));
    }

    private void storeWithRetries(
            RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        for (int attempt = 1; ; attempt++) {
            try {
                request.used(usage, messageId);
                return;
            } catch (RuntimeException failed) {
                LOG.warn(
                        "Could not store the usage of run {}, request {}, at attempt {} of {}:"
                                + " {} tokens in, {} out, cost {} {}",
                        run,
                        request.number(),
                        attempt,
                        tries,
                        usage.inputTokens(),
                        usage.outputTokens(),
                        usage.cost(),
                        usage.currency(),
                        failed);
            }
            if (attempt == tries) {
                return;
            }
            try {
                Thread.sleep(backoff.after(attempt));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
