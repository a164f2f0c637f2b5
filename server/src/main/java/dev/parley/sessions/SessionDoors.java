package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.agents.model.Prices;
import dev.parley.attachments.Attachments;
import dev.parley.limits.Limits;
import dev.parley.log.Log;
import dev.parley.runs.Runs;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.Threads;
import java.time.Clock;

/** The front doors of sessions, built on the rest of the server. */
public final class SessionDoors {
    private final ChatEvents events;
    private final SessionReading reading;

    /** What they are built on. */
    public record Parts(
            Database database,
            Log log,
            Threads threads,
            Messages messages,
            Agents agents,
            Attachments attachments,
            Runs runs,
            Prices prices) {}

    public SessionDoors(Parts parts, SessionThreads sessions, Limits limits, Clock clock) {
        ChatEventStore store = new ChatEventStore(parts.database());
        SessionMedia media = new SessionMedia(parts.attachments(), limits);
        SessionAgents agents = new SessionAgents(parts.database(), parts.agents(), limits);
        this.events = new ChatEvents(
                parts.log(),
                parts.threads(),
                sessions,
                new SessionAuthors(agents, limits),
                media,
                new StreamedAnswers(parts.runs(), parts.messages(), store),
                new KnownMessages(store, parts.messages(), media),
                parts.prices(),
                clock);
        this.reading =
                new SessionReading(parts.messages(), store, new SessionStatuses(parts.database()), media, limits);
    }

    public ChatEvents events() {
        return events;
    }

    public SessionReading reading() {
        return reading;
    }
}
