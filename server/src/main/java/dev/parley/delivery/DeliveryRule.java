package dev.parley.delivery;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Role;
import dev.parley.log.Rule;
import dev.parley.log.Said;
import dev.parley.log.Warrant;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an agent says in a thread goes to every place that hears the thread, in parts that the place can take. Decided with
 * the message, so that there is never one without the other.
 */
public final class DeliveryRule implements Rule<Map<ThreadId, List<DeliveryFacts.Route>>> {
    /** What marks a message that counts for nobody, or that was said to another agent and not to people. */
    private static final List<String> UNSPOKEN = List.of("withdrawn", "superseded", "subagent_run_id");

    private final Map<String, Splitting> bySource = new HashMap<>();

    /**
     * @param transports for the places that are served here
     * @param mostParts of one message
     */
    public DeliveryRule(Collection<ChatTransport> transports, int mostParts) {
        transports.forEach(transport ->
                bySource.put(transport.source(), new Splitting(transport.largestPart(), mostParts, transport.size())));
    }

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Map<ThreadId, List<DeliveryFacts.Route>> read(
            Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException {
        if (bySource.isEmpty()) {
            return Map.of();
        }
        Set<ThreadId> threads = new HashSet<>();
        for (Command command : commands) {
            for (Change change : command.changes()) {
                if (change instanceof Change.Append(var draft) && isAnswer(draft.said())) {
                    threads.add(command.thread());
                }
            }
        }
        return threads.isEmpty() ? Map.of() : DeliveryFacts.routes(connection, threads, bySource.keySet());
    }

    private static boolean isAnswer(Said said) {
        return said.kind() == EntryKind.MESSAGE
                && said.role() == Role.ASSISTANT
                && said.author().kind() == Actor.Kind.AGENT
                && !said.content().isBlank();
    }

    @Override
    public Judge over(Map<ThreadId, List<DeliveryFacts.Route>> facts) {
        return new DeliveryJudge(facts, bySource);
    }

    /** Remembers in whose name the command acts that it is told of. */
    private static final class DeliveryJudge implements Judge {
        private final Map<ThreadId, List<DeliveryFacts.Route>> routes;
        private final Map<String, Splitting> bySource;
        private @Nullable String run;

        DeliveryJudge(Map<ThreadId, List<DeliveryFacts.Route>> routes, Map<String, Splitting> bySource) {
            this.routes = routes;
            this.bySource = bySource;
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            Warrant warrant = command.warrant();
            run = warrant == null ? null : "run_" + warrant.run();
            return Optional.empty();
        }

        @Override
        public List<Change> follow(Entry entry) {
            List<DeliveryFacts.Route> open = routes.getOrDefault(entry.thread(), List.of());
            if (open.isEmpty() || !isAnswer(entry.said()) || isUnspoken(entry.said())) {
                return List.of();
            }
            List<QueuedParcel> parcels = new ArrayList<>();
            for (DeliveryFacts.Route route : open) {
                Splitting splitting = bySource.get(route.source());
                if (splitting != null) {
                    addParts(parcels, entry, route.destination(), splitting);
                }
            }
            return parcels.isEmpty() ? List.of() : List.of(new Change.Apply(new DeliveryChange(parcels)));
        }

        private void addParts(List<QueuedParcel> parcels, Entry entry, UUID destination, Splitting splitting) {
            List<String> parts = splitting.split(entry.said().content());
            for (int i = 0; i < parts.size(); i++) {
                parcels.add(QueuedParcel.of(
                        destination,
                        entry.thread(),
                        entry.seq(),
                        entry.said().id(),
                        run,
                        i + 1,
                        parts.size(),
                        parts.get(i)));
            }
        }

        private static boolean isUnspoken(Said said) {
            String metadata = said.metadata();
            if (metadata == null) {
                return false;
            }
            JsonNode read = Json.MAPPER.readTree(metadata);
            return UNSPOKEN.stream().anyMatch(read::has);
        }
    }
}
