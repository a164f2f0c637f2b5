package dev.parley.sessions;

import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Documents that a session's client keeps besides messages, such as its state and its summary. A client that knows the
 * current version of a document replaces the document as a whole. If two clients replace the same version, one of the
 * clients is refused.
 */
public final class SessionDocuments {
    /**
     * SQL that selects and locks the thread unless it is deleted. A deleted thread accepts no documents, and a deletion
     * waits for this lock. Therefore the purge misses no document.
     */
    static final String OPEN_THREAD =
            "open as (select thread_id from threads where thread_id = :thread and deleted_at is null for share)";

    private static final String FIRST = "with " + OPEN_THREAD + """
             insert into session_documents (thread_id, version, document, updated_at)
            select thread_id, 1, :document::json, :now from open
            on conflict (thread_id) do nothing""";

    private static final String NEXT = "with " + OPEN_THREAD + """
             update session_documents d set version = d.version + 1, document = :document::json, updated_at = :now
            from open where d.thread_id = open.thread_id and d.version = :version""";

    private final Database database;
    private final SessionAccess access;
    private final Limits.Sessions limits;
    private final Clock clock;

    public SessionDocuments(Database database, SessionAccess access, Limits.Sessions limits, Clock clock) {
        this.database = database;
        this.access = access;
        this.limits = limits;
        this.clock = clock;
    }

    public StoredDocument require(Principal caller, String sessionId) {
        ThreadId thread = access.readable(caller, sessionId);
        return database.read(handle -> handle.createQuery(
                                "select version, document, updated_at from session_documents where thread_id = :thread")
                        .bind("thread", thread.value())
                        .map((row, context) -> new StoredDocument(
                                row.getLong("version"),
                                row.getString("document"),
                                row.getObject("updated_at", OffsetDateTime.class)
                                        .toInstant()))
                        .findOne())
                .orElseThrow(
                        () -> new ProblemException(Problem.DOCUMENT_NOT_FOUND, "This session has no document yet."));
    }

    /**
     * Replaces the document that has the given version. Version 0 means that no document exists yet. In this case a
     * missing session is created.
     *
     * @param document the text of a JSON object
     */
    public StoredDocument replace(Principal caller, String sessionId, byte[] document, long version) {
        requireSize(document, limits);
        ThreadId thread = access.writable(caller, sessionId, version == 0).id();
        String text = new String(document, StandardCharsets.UTF_8);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        int replaced = database.transact(handle -> handle.createUpdate(version == 0 ? FIRST : NEXT)
                .bind("thread", thread.value())
                .bind("document", text)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bindMap(version == 0 ? Map.of() : Map.of("version", version))
                .execute());
        if (replaced == 0) {
            access.requireStillThere(caller, thread);
            throw changed(versionOf(thread).orElse(0L));
        }
        return new StoredDocument(version + 1, text, now);
    }

    private Optional<Long> versionOf(ThreadId thread) {
        return database.read(
                handle -> handle.createQuery("select version from session_documents where thread_id = :thread")
                        .bind("thread", thread.value())
                        .mapTo(Long.class)
                        .findOne());
    }

    static void requireSize(byte[] document, Limits.Sessions limits) {
        if (document.length > limits.documentBytes()) {
            throw new ProblemException(
                    Problem.PAYLOAD_TOO_LARGE,
                    "A document has at most " + limits.documentBytes() + " bytes.",
                    List.of(),
                    Map.of("limit_bytes", limits.documentBytes()));
        }
    }

    static ProblemException changed(long current) {
        return new ProblemException(
                Problem.DOCUMENT_CHANGED,
                "The document has version " + current + " now; read it again and merge.",
                List.of(),
                Map.of("current_version", current));
    }
}
