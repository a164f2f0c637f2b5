package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.agents.model.Prices;
import dev.parley.attachments.Attachments;
import dev.parley.limits.Limits;
import dev.parley.log.Log;
import dev.parley.runs.Runs;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.Threads;
import java.time.Clock;

/** The front doors of sessions, built on the rest of the server. */
public record SessionServices(
        SessionThreads threads,
        ChatEvents events,
        SessionReading reading,
        SessionRuns streams,
        SessionRunList runs,
        SessionDocuments documents,
        SessionList list,
        SessionMetrics metrics) {

    /** The front doors that sessions are built on. */
    public record Dependencies(
            Database database,
            Log log,
            Threads threads,
            ThreadAccess access,
            Messages messages,
            Agents agents,
            Attachments attachments,
            Runs runs,
            Prices prices) {}

    public static SessionServices open(Dependencies parts, Limits limits, Clock clock) {
        Database database = parts.database();
        SessionThreads sessions =
                new SessionThreads(database, parts.threads(), parts.access(), parts.agents(), limits.requests());
        SessionAgents agents = new SessionAgents(database, parts.agents(), limits.sessions());
        SessionAccess access = new SessionAccess(sessions, parts.access(), clock);
        SessionAuthors authors = new SessionAuthors(
                agents, new SessionRunOwners(database), limits.threads().participants());
        ChatEventStore store = new ChatEventStore(database);
        SessionMedia media =
                new SessionMedia(parts.attachments(), limits.requests().opaqueId());
        return new SessionServices(
                sessions,
                new ChatEvents(
                        parts.log(),
                        sessions,
                        access,
                        authors,
                        media,
                        new StreamedAnswers(parts.runs(), parts.messages(), store),
                        new KnownMessages(store, parts.messages(), media),
                        new ChatEventChanges(parts.prices(), clock)),
                new SessionReading(
                        parts.messages(),
                        store,
                        new SessionStatuses(database),
                        media,
                        parts.runs().usages(),
                        limits.requests().pageBytes(),
                        limits.sessions().answerBytes()),
                new SessionRuns(sessions, agents, authors, parts.access(), parts.runs(), clock),
                new SessionRunList(database, access, parts.prices(), limits.sessions(), limits.requests(), clock),
                new SessionDocuments(database, access, limits.sessions(), clock),
                new SessionList(
                        sessions, access, parts.threads(), limits.threads().title()),
                new SessionMetrics(database, access));
    }
}
