package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.data.FirstStart;
import dev.parley.limits.Limits;
import dev.parley.storage.Database;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.List;

/**
 * The parts that every feature of one server is built on.
 *
 * @param closer stops all registered parts in the reverse order of their start
 */
record Foundation(Config config, Clock clock, Database database, PrometheusMeterRegistry metrics, Closer closer) {
    Limits limits() {
        return config.limits();
    }

    /** The secrets that sign URLs and webhooks, the current one first. */
    List<byte[]> signingSecrets() {
        return FirstStart.signingSecrets(config);
    }

    <T extends AutoCloseable> T keep(T part) {
        return closer.keep(part);
    }
}
