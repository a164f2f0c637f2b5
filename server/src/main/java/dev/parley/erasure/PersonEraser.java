package dev.parley.erasure;

import dev.parley.attachments.ErasedObjects;
import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.util.List;

/**
 * Erases the data of a person outside of threads: names, files, links to other platforms, and credentials. The person's
 * private agents and their tokens stop working.
 */
final class PersonEraser {
    private static final List<String> STATEMENTS = List.of(
            "delete from known_names where actor = :actor",
            "delete from identity_links where user_actor = :actor or sender = :actor",
            "delete from identity_link_guesses where sender = :actor",
            "delete from inbound_revisions where sender = :actor",
            "delete from revision_times where sender = :actor",
            // Includes tickets that were made with a token of the person's agents; these tokens are revoked below.
            """
            delete from stream_tickets
            where (principal ->> 'kind') || ':' || (principal ->> 'id') = :actor
                or principal ->> 'tokenId' in (
                    select token_id::text from agent_tokens where owner = :actor or 'agent:' || agent_id = :actor)""",
            "delete from request_keys where actor = :actor",
            "delete from webhooks where owner = :actor",
            "delete from session_agents where owner = :actor",
            """
            update agent_tokens set revoked_at = coalesce(revoked_at, now()), display_name = ''
            where owner = :actor or 'agent:' || agent_id = :actor""",
            """
            update agents set is_active = false, display_name = 'agent:' || agent_id, config = '{}'
            where (owner = :actor and visibility = 'private' or 'agent:' || agent_id = :actor)
                and owner <> 'system:parley' and file_name is null""");

    private final Database database;
    private final ErasedObjects objects;

    PersonEraser(Database database, ErasedObjects objects) {
        this.database = database;
        this.objects = objects;
    }

    /** Idempotent. */
    void erase(Actor actor) {
        database.transact(handle -> {
            STATEMENTS.forEach(
                    sql -> handle.createUpdate(sql).bind("actor", actor.value()).execute());
            return STATEMENTS.size();
        });
        objects.removeOwnedBy(actor);
    }
}
