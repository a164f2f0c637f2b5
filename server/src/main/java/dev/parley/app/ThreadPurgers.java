package dev.parley.app;

import dev.parley.contexts.ContextPurger;
import dev.parley.delivery.DeliveryPurger;
import dev.parley.erasure.ErasurePurger;
import dev.parley.ingest.InboundPurger;
import dev.parley.log.LogPurger;
import dev.parley.log.ThreadPurger;
import dev.parley.runs.RunPurger;
import dev.parley.sessions.SessionPurger;
import dev.parley.threads.RecallPurger;
import java.util.List;

/** The purgers of all features, called when a thread is deleted. Objects are purged last, after all rows. */
final class ThreadPurgers {
    private ThreadPurgers() {}

    static List<ThreadPurger> of(ThreadPurger objects) {
        return List.of(
                new LogPurger(),
                new RunPurger(),
                new ContextPurger(),
                new RecallPurger(),
                new InboundPurger(),
                new DeliveryPurger(),
                new SessionPurger(),
                new ErasurePurger(),
                objects);
    }
}
