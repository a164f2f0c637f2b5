package dev.parley.sessions;

import dev.parley.agents.model.Prices;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadRoster;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a session, and the document that its client keeps for each run. A document is returned exactly as it was
 * given.
 */
public final class SessionRunList {
    private final Database database;
    private final SessionAccess access;
    private final Prices prices;
    private final Limits.Sessions limits;
    private final Limits.Requests requests;
    private final Clock clock;

    public SessionRunList(
            Database database,
            SessionAccess access,
            Prices prices,
            Limits.Sessions limits,
            Limits.Requests requests,
            Clock clock) {
        this.database = database;
        this.access = access;
        this.prices = prices;
        this.limits = limits;
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * A run with its document.
     *
     * @param document null if there is none
     * @param children the runs that name this run as their parent
     */
    public record RunWithDocument(SessionRun run, @Nullable String document, List<String> children) {}

    /** The runs after a number, in the order in which they were created. */
    public List<SessionRun> after(Principal caller, String sessionId, long number, int limit) {
        ThreadId thread = access.readable(caller, sessionId);
        return database.read(handle -> SessionRunStore.after(handle, thread, number, limit));
    }

    public RunWithDocument require(Principal caller, String sessionId, String runId) {
        ThreadId thread = access.readable(caller, sessionId);
        if (!Text.isStorable(runId)) {
            throw notFound();
        }
        return database.read(handle -> new RunWithDocument(
                SessionRunStore.find(handle, thread, runId).orElseThrow(SessionRunList::notFound),
                SessionRunStore.document(handle, thread, runId).orElse(null),
                SessionRunStore.children(handle, thread, runId, limits.messages())));
    }

    /**
     * Stores the document of a run, which may be new.
     *
     * @param document the text of a JSON object
     * @param version the version that the document replaces, 0 if there is no document yet; empty for any version
     */
    public SessionRun keep(Principal caller, String sessionId, String runId, byte[] document, OptionalLong version) {
        ClientNames.strict(requests).id("run_id", runId);
        SessionDocuments.requireSize(document, limits);
        RunNotes notes = RunNotes.of(Json.MAPPER.readTree(document), requests, prices);
        ThreadRoster roster = access.writable(caller, sessionId, version.orElse(0) == 0);
        ThreadId thread = roster.id();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        boolean stored = database.transact(handle -> SessionRunStore.keep(
                handle,
                caller,
                roster,
                runId,
                new String(document, StandardCharsets.UTF_8),
                notes,
                version.orElse(SessionRunStore.ANY_VERSION),
                now));
        if (!stored) {
            access.requireStillThere(caller, thread);
            throw SessionDocuments.changed(database.read(handle -> SessionRunStore.find(handle, thread, runId))
                    .map(SessionRun::version)
                    .orElse(0L));
        }
        return database.read(handle -> SessionRunStore.find(handle, thread, runId))
                .orElseThrow(SessionRunList::notFound);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.RUN_NOT_FOUND, "This session has no such run.");
    }
}
