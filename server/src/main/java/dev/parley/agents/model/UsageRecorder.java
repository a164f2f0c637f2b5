package dev.parley.agents.model;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.RunName;
import dev.parley.basics.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has what a request cost written down, and tries again for a while if that fails: what was spent is not forgotten
 * because the database was away for a moment, and if it is, the log says how much.
 */
record UsageRecorder(int tries, Backoff backoff) {
    private static final Logger LOG = LoggerFactory.getLogger(UsageRecorder.class);

    static final UsageRecorder PATIENT =
            new UsageRecorder(6, Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(16)));

    /** Goes on trying beside the run, which waits only for a moment. */
    void keep(RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        UninterruptibleCall.finish(() -> keepTrying(run, request, usage, messageId));
    }

    private void keepTrying(
            RunName run, ModelRequests.Request request, ModelRequests.Usage usage, @Nullable String messageId) {
        for (int attempt = 1; ; attempt++) {
            try {
                request.used(usage, messageId);
                return;
            } catch (RuntimeException failed) {
                LOG.warn(
                        "The usage of run {}, request {}, was not kept at try {} of {}:"
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
