package dev.parley.agents;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadFactsCache;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agents that an operator configures in a file. The server owns these agents, so only the file can change them. An
 * agent that the file no longer contains is switched off.
 */
public final class FileAgents {
    private FileAgents() {}

    /** One agent of the file. */
    public record Entry(
            String name,
            UUID id,
            String displayName,
            RegisteredAgent.Kind kind,
            ObjectNode config,
            RegisteredAgent.Visibility visibility) {}

    /**
     * Makes the registered agents equal to the entries of the file.
     *
     * @throws IllegalArgumentException if an entry has the id of another owner's agent; the message is the entry's name
     */
    public static void agree(Database database, Clock clock, List<Entry> entries) {
        database.transact(handle -> {
            Set<UUID> before = handle.createQuery(
                            "select agent_id from agents where file_name is not null and is_active order by 1 for update")
                    .mapTo(UUID.class)
                    .set();
            entries.forEach(entry -> put(handle, clock, entry));
            Set<UUID> now = entries.stream().map(Entry::id).collect(Collectors.toSet());
            before.stream().filter(id -> !now.contains(id)).forEach(id -> switchOff(handle, id));
            now.stream()
                    .filter(id -> !before.contains(id))
                    .forEach(id -> ThreadFactsCache.outdate(handle, Actor.agent(id)));
            return entries.size();
        });
    }

    private static void put(Handle handle, Clock clock, Entry entry) {
        int rows = handle.createUpdate("""
                        insert into agents (
                            agent_id, owner, display_name, kind, config, visibility, is_active, created_at, file_name)
                        values (:id, :owner, :name, :kind, :config::json, :visibility, true, :at, :file)
                        on conflict (agent_id) do update set
                            display_name = excluded.display_name, kind = excluded.kind, config = excluded.config,
                            visibility = excluded.visibility, is_active = true, file_name = excluded.file_name
                        where agents.file_name is not null""")
                .bind("id", entry.id())
                .bind("owner", Actor.SYSTEM.value())
                .bind("name", entry.displayName())
                .bind("kind", entry.kind().name().toLowerCase(Locale.ROOT))
                .bind("config", Json.MAPPER.writeValueAsString(entry.config()))
                .bind("visibility", entry.visibility().name().toLowerCase(Locale.ROOT))
                .bind("at", clock.instant().atOffset(ZoneOffset.UTC))
                .bind("file", entry.name())
                .execute();
        if (rows == 0) {
            throw new IllegalArgumentException(entry.name());
        }
    }

    private static void switchOff(Handle handle, UUID id) {
        handle.createUpdate("update agents set is_active = false where agent_id = :id")
                .bind("id", id)
                .execute();
        ThreadFactsCache.outdate(handle, Actor.agent(id));
    }
}
