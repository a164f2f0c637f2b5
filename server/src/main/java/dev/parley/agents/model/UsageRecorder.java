package dev.parley.agents.model;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.RunName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the usage of a request, and retries for a while if that fails, so that a short outage of the database loses no
 * cost. Each failure is logged with the tokens and the cost.
 *
 * @param firstWait the wait before the second attempt; each further wait is twice as long
 */
record UsageRecorder(int tries, Duration firstWait) {
    private static final Logger LOG = LoggerFactory.getLogger(UsageRecorder.class);

    static final UsageRecorder DEFAULT = new UsageRecorder(6, Duration.ofSeconds(1));

    /** Stores the usage. Retries go on in the background; the run waits only for a moment. */
    void store(RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        UninterruptibleCall.finish(() -> storeWithRetries(run, request, usage, messageId));
    }

    private void storeWithRetries(
            RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        Duration wait = firstWait;
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
                Thread.sleep(wait);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
            wait = wait.multipliedBy(2);
        }
    }
}
