package dev.parley.agents.tools;

import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration of one tool server.
 *
 * @param timeout the timeout of one call
 * @param tools names of the offered tools; null offers all
 * @param maxResultCharacters limit of a result; the rest of the result is cut off
 */
public record ToolServerConfig(
        String name,
        Transport transport,
        Duration timeout,
        @Nullable Set<String> tools,
        Approval approval,
        int maxResultCharacters) {
    public ToolServerConfig {
        tools = tools == null ? null : Set.copyOf(tools);
    }

    /** The connection to the server. */
    sealed interface Transport {
        /** The texts that may refer to secrets, by the names of their variables or headers. */
        Map<String, SecretText> texts();
    }

    /**
     * A program on this machine that talks over its standard streams.
     *
     * @param environment the program's whole environment, except PATH and HOME
     */
    record Stdio(
            String command,
            List<String> arguments,
            Map<String, SecretText> environment,
            @Nullable Path directory) implements Transport {
        public Stdio {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        @Override
        public Map<String, SecretText> texts() {
            return environment;
        }
    }

    /** A remote server that speaks MCP's streamable HTTP. */
    record Http(OutboundUrl url, Map<String, SecretText> headers) implements Transport {
        public Http {
            headers = Map.copyOf(headers);
        }

        @Override
        public Map<String, SecretText> texts() {
            return headers;
        }
    }

    /** The calls that need a person's approval. */
    sealed interface Approval {
        boolean isNeededFor(String tool);

        record Never() implements Approval {
            @Override
            public boolean isNeededFor(String tool) {
                return false;
            }
        }

        record Always() implements Approval {
            @Override
            public boolean isNeededFor(String tool) {
                return true;
            }
        }

        /**
         * Approval for all tools except the named tools. A tool that the server adds later therefore needs approval.
         */
        record Except(Set<String> names) implements Approval {
            public Except {
                names = Set.copyOf(names);
            }

            @Override
            public boolean isNeededFor(String tool) {
                return !names.contains(tool);
            }
        }
    }

    boolean offers(String tool) {
        return tools == null || tools.contains(tool);
    }

    /** Reads a configuration, or throws a problem that names each invalid field, as {@code <name>.<field>}. */
    static ToolServerConfig read(String name, ObjectNode config) {
        return new ToolServerReader(name, config).read();
    }

    /** Reads a configuration whose secrets all exist. */
    public static ToolServerConfig require(String name, ObjectNode config, Secrets secrets) {
        return new ToolServerReader(name, config).require(secrets);
    }
}
