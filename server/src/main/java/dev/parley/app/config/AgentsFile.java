package dev.parley.app.config;

import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.model.ModelConfig;
import dev.parley.agents.model.Spending;
import dev.parley.agents.remote.RemoteConfig;
import dev.parley.agents.tools.ToolServerConfig;
import dev.parley.basics.Sha256;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Actor;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The complete and checked content of the operator's agents file.
 *
 * @param given true if there is a file; an empty file removes all agents, a missing file changes none
 * @param perUser the budget of each user; null if there is no budget
 */
public record AgentsFile(
        boolean given,
        List<FileAgents.Entry> agents,
        Map<String, ToolServerConfig> toolServers,
        Map<String, Spending.Price> prices,
        Spending.@Nullable Budget perUser) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final List<String> PARTS = List.of("agents", "tool_servers", "prices", "budgets");
    private static final List<String> OF_ALL = List.of("kind", "display_name", "visibility", "id");

    /** The content if no file is given. */
    static final AgentsFile NONE = new AgentsFile(false, List.of(), Map.of(), Map.of(), null);

    public AgentsFile {
        agents = List.copyOf(agents);
        toolServers = Map.copyOf(toolServers);
        prices = Map.copyOf(prices);
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** The agent with a name. */
    Optional<Actor> find(String name) {
        return agents.stream()
                .filter(agent -> agent.name().equals(name))
                .map(agent -> Actor.agent(agent.id()))
                .findFirst();
    }

    /** The agent with a name or an id. */
    Actor require(String named) {
        return find(named)
                .or(() -> ValueType.agent(named))
                .orElseThrow(() -> new ConfigException(
                        "The setting default-agent is \"" + named + "\", but agents-file names no such agent."));
    }

    static AgentsFile of(GivenSettings given) {
        Path file = given.find(Settings.AGENTS_FILE);
        return file == null ? NONE : read(file, Secret.revealed(given.secrets()));
    }

    static AgentsFile read(Path file, Secrets secrets) {
        YamlTree.Read tree = YamlTree.read(file, "agents file");
        requireKnown(tree, "", tree.root(), PARTS);
        Map<String, ToolServerConfig> servers = toolServers(tree, secrets);
        Reader reader = new Reader(tree, secrets, servers.keySet());
        PriceList prices = new PriceList(tree);
        return new AgentsFile(true, reader.agents(), servers, prices.prices(), prices.perUser());
    }

    private static Map<String, ToolServerConfig> toolServers(YamlTree.Read tree, Secrets secrets) {
        Map<String, ToolServerConfig> servers = new LinkedHashMap<>();
        JsonNode given = tree.root().path("tool_servers");
        if (given.isMissingNode() || given.isNull()) {
            return servers;
        }
        if (!given.isObject()) {
            throw tree.wrong("tool_servers", "must be a map of names to values");
        }
        given.forEachEntry((name, server) -> {
            if (!(server instanceof ObjectNode config)) {
                throw tree.wrong("tool_servers." + name, "must be a map of names to values");
            }
            try {
                servers.put(name, ToolServerConfig.require(name, config, secrets));
            } catch (ProblemException wrong) {
                FieldError first = wrong.errors().getFirst();
                throw tree.wrong("tool_servers." + first.field(), first.message());
            }
        });
        return servers;
    }

    static void requireKnown(YamlTree.Read tree, String path, JsonNode object, List<String> known) {
        if (!object.isObject()) {
            throw tree.wrong(path, "must be a map of names to values");
        }
        for (String member : object.propertyNames()) {
            if (!known.contains(member)) {
                throw tree.wrong(
                        path.isEmpty() ? member : path + "." + member,
                        "is not known; did you mean " + Nearest.of(member, known) + "?");
            }
        }
    }

    /** An id derived from the name, the same on every reading and every node. */
    static UUID idOf(String name) {
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(("parley agent " + name).getBytes(StandardCharsets.UTF_8)));
        long high = hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL | 0x8000L;
        long low = hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** Reads the agents. */
    private record Reader(YamlTree.Read tree, Secrets secrets, Set<String> toolServers) {
        List<FileAgents.Entry> agents() {
            List<FileAgents.Entry> agents = new ArrayList<>();
            JsonNode given = tree.root().path("agents");
            if (given.isMissingNode() || given.isNull()) {
                return agents;
            }
            if (!given.isObject()) {
                throw tree.wrong("agents", "must be a map of names to values");
            }
            Set<UUID> ids = new HashSet<>();
            given.forEachEntry((name, agent) -> {
                FileAgents.Entry entry = agent("agents." + name, name, agent);
                if (!ids.add(entry.id())) {
                    throw tree.wrong("agents." + name + ".id", "is another agent's too");
                }
                agents.add(entry);
            });
            return agents;
        }

        private FileAgents.Entry agent(String path, String name, JsonNode given) {
            if (!NAME.matcher(name).matches()) {
                throw tree.wrong(path, "is no name for an agent: 1 to 64 of a-z, 0-9 and -, beginning with a letter");
            }
            RegisteredAgent.Kind kind = kind(path, given);
            List<String> members = kind == RegisteredAgent.Kind.MODEL ? ModelConfig.MEMBERS : RemoteConfig.MEMBERS;
            requireKnown(
                    tree,
                    path,
                    given,
                    Stream.concat(OF_ALL.stream(), members.stream()).toList());
            ObjectNode config = ((ObjectNode) given).deepCopy().remove(OF_ALL);
            require(path, kind, config);
            return new FileAgents.Entry(
                    name, id(path, name, given), displayName(path, name, given), kind, config, visibility(path, given));
        }

        private void require(String path, RegisteredAgent.Kind kind, ObjectNode config) {
            try {
                if (kind == RegisteredAgent.Kind.MODEL) {
                    ModelConfig.require(config, secrets, toolServers);
                } else {
                    RemoteConfig.require(config, secrets);
                }
            } catch (ProblemException wrong) {
                FieldError first = wrong.errors().getFirst();
                throw tree.wrong(path + first.field().substring("config".length()), first.message());
            }
        }

        private RegisteredAgent.Kind kind(String path, JsonNode given) {
            return switch (given.path("kind").asString("")) {
                case "model" -> RegisteredAgent.Kind.MODEL;
                case "agui" -> RegisteredAgent.Kind.AGUI;
                default -> throw tree.wrong(path + ".kind", "must be model or agui");
            };
        }

        private UUID id(String path, String name, JsonNode given) {
            JsonNode id = given.path("id");
            return id.isMissingNode()
                    ? idOf(name)
                    : UuidV7.parseCanonical(id.asString(""))
                            .orElseThrow(() -> tree.wrong(path + ".id", "must be a UUID"));
        }

        private String displayName(String path, String name, JsonNode given) {
            if (given.path("display_name").isMissingNode()) {
                return name;
            }
            String trimmed = given.path("display_name").asString("").strip();
            if (trimmed.isEmpty()
                    || trimmed.codePointCount(0, trimmed.length()) > 200
                    || trimmed.codePoints().anyMatch(Character::isISOControl)) {
                throw tree.wrong(path + ".display_name", "must have 1 to 200 characters and no control characters");
            }
            return trimmed;
        }

        private RegisteredAgent.Visibility visibility(String path, JsonNode given) {
            String visibility = given.path("visibility").asString("shared");
            for (RegisteredAgent.Visibility each : RegisteredAgent.Visibility.values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(visibility)) {
                    return each;
                }
            }
            throw tree.wrong(path + ".visibility", "must be shared or private");
        }
    }
}
