package dev.parley;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The package that owns each table, following the order of packages in {@link ArchitectureTest}. Only the owner writes
 * to its table.
 */
public final class TableOwners {
    private static final Map<String, List<String>> TABLES = Map.ofEntries(
            Map.entry("archive", List.of("imports")),
            Map.entry("erasure", List.of("erasures", "erasure_threads", "erasure_objects")),
            Map.entry("platforms", List.of("backfills")),
            Map.entry(
                    "ingest",
                    List.of("bindings", "inbound_events", "inbound_revisions", "revision_times", "thread_quotes")),
            Map.entry("sessions", List.of("session_agents", "chat_events", "session_runs", "session_documents")),
            Map.entry("delivery", List.of("destinations", "deliveries", "webhooks")),
            Map.entry("runs", List.of("runs", "thread_states", "interrupts", "open_calls")),
            Map.entry("contexts", List.of("context_blocks", "run_contexts", "model_usage")),
            Map.entry("agents", List.of("agents")),
            Map.entry("attachments", List.of("blobs", "objects", "object_uses", "storage_usage")),
            Map.entry(
                    "threads",
                    List.of(
                            "threads",
                            "thread_aliases",
                            "participants",
                            "read_marks",
                            "listings",
                            "thread_activity",
                            "known_names",
                            "recall_words",
                            "recall_progress")),
            Map.entry("log", List.of("thread_heads", "entries", "entry_keys", "events", "expired_events")),
            Map.entry(
                    "auth",
                    List.of(
                            "agent_tokens",
                            "integration_keys",
                            "stream_tickets",
                            "audit",
                            "identity_links",
                            "identity_link_guesses")),
            Map.entry("nodes", List.of("nodes")),
            Map.entry("storage", List.of("request_keys")));

    /** The owner of each table. */
    public static final Map<String, String> OWNERS = owners();

    private TableOwners() {}

    private static Map<String, String> owners() {
        Map<String, String> owners = new HashMap<>();
        TABLES.forEach((owner, tables) -> tables.forEach(table -> {
            if (owners.put(table, owner) != null) {
                throw new IllegalStateException("two packages own the table " + table);
            }
        }));
        return Map.copyOf(owners);
    }
}
