package dev.parley.app;

import dev.parley.limits.Limits;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.Polls;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.streaming.Watches;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadActivity;
import io.micrometer.core.instrument.Gauge;

/** Long polls and streams, of threads and of inboxes. */
record StreamServices(Polls polls, Tails tails, Inbox inbox, OpenStreams open, StreamQuota quota) {
    static StreamServices open(
            Foundation base, LogServices logs, Watches watches, ThreadAccess access, Credentials credentials) {
        Limits.Streams limits = base.limits().streams();
        Tails tails =
                new Tails(logs.reader(), watches, limits, base.limits().http().parcelTime());
        Gauge.builder("parley.tails.open", tails, Tails::count)
                .description("Threads whose live end is followed, counted once per kind of viewer")
                .register(base.metrics());
        return new StreamServices(
                new Polls(logs.pages(), watches, limits.longPoll()),
                tails,
                base.keep(new Inbox(new ThreadActivity(base.database()))),
                base.keep(new OpenStreams(
                        access,
                        watches,
                        credentials.agentTokens(),
                        credentials.keys(),
                        credentials.tickets(),
                        base.clock())),
                new StreamQuota(base.config().access().rateLimits() ? limits.perActor() : Integer.MAX_VALUE));
    }
}
