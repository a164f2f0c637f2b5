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
 * What is configured of one server of tools.
 *
 * @param timeout how long one call may take
 * @param tools which of its tools are offered; null offers all
 * @param maxResultCharacters what is kept of a result
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

    /** How the server is reached. */
    public sealed interface Transport {
        /** The texts with secrets in them, by name. */
        Map<String, SecretText> texts();
    }

    /**
     * A program that is started here and talks over its standard streams.
     *
     * @param environment all that it gets of an environment, PATH and HOME apart
     */
    public record Stdio(
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

    /** A server somewhere else that speaks MCP's streamable HTTP. */
    public record Http(OutboundUrl url, Map<String, SecretText> headers) implements Transport {
        public Http {
            headers = Map.copyOf(headers);
        }

        @Override
        public Map<String, SecretText> texts() {
            return headers;
        }
    }

    /** Which calls wait for somebody's word. */
    public sealed interface Approval {
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

        /** Names what goes without, so that whatever a server adds later needs a word. */
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

    /** Reads a configuration, or says what is wrong with each of its fields, which are named {@code <name>.<member>}. */
    public static ToolServerConfig read(String name, ObjectNode config) {
        return new ToolServerReader(name, config).read();
    }

    /** Reads one whose secrets are all there. */
    public static ToolServerConfig require(String name, ObjectNode config, Secrets secrets) {
        return new ToolServerReader(name, config).require(secrets);
    }
}
