package dev.parley.agents.tools;

import dev.parley.agents.tools.ToolServerConfig.Http;
import dev.parley.agents.tools.ToolServerConfig.Stdio;
import dev.parley.outbound.HeaderRules;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the transport to a tool server, with its secrets revealed.
 *
 * @param grace longest wait for the program to end by itself before it is signalled
 */
record ToolTransports(Outbound outbound, Secrets secrets, Duration grace) {
    private static final Logger LOG = LoggerFactory.getLogger(ToolTransports.class);

    /**
     * Limit of one message in bytes. It is far higher than the limit of a result, because messages may contain images.
     */
    private static final int MAX_BYTES = 8 * 1_024 * 1_024;

    private static final int MAX_DEPTH = 100;

    private static final McpJsonMapper MAPPER = new JacksonMcpJsonMapper(JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .build());

    /** A factory of the server's transport; its argument is the action to run after the server has gone. */
    Function<Runnable, McpClientTransport> of(ToolServerConfig config) throws ToolFailure {
        return switch (config.transport()) {
            case Stdio stdio -> stdio(config.name(), stdio);
            case Http http -> http(config.name(), http);
        };
    }

    private Function<Runnable, McpClientTransport> stdio(String name, Stdio stdio) throws ToolFailure {
        Map<String, String> environment = reveal(name, stdio.environment());
        List<String> command = new ArrayList<>(stdio.arguments());
        command.addFirst(stdio.command());
        try {
            ToolProgram child = ToolProgram.start(name, command, environment, stdio.directory(), grace);
            return gone -> new StdioTransport(name, child, MAPPER, MAX_BYTES, gone);
        } catch (IOException failed) {
            LOG.warn("Could not start the program of tool server {}; its tools are unavailable", name, failed);
            throw broken();
        }
    }

    private Function<Runnable, McpClientTransport> http(String name, Http http) throws ToolFailure {
        Map<String, String> headers = reveal(name, http.headers());
        if (!headers.values().stream().allMatch(HeaderRules::isValue)) {
            LOG.warn("A secret of tool server {} is not a valid header value; its tools are unavailable", name);
            throw broken();
        }
        try {
            // The server's own destination is allowed: only operators configure tool servers.
            outbound.require(http.url(), Set.of(http.url().destination()));
        } catch (OutboundRefused | IOException unreachable) {
            throw broken();
        }
        URI uri = http.url().uri();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        HttpClient client = Outbound.newClient();
        McpClientTransport transport = HttpClientStreamableHttpTransport.builder(
                        uri.getScheme() + "://" + uri.getRawAuthority())
                .endpoint(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery())
                .clientBuilder(new GivenClient(client))
                .jsonMapper(MAPPER)
                .maxResponseSize(MAX_BYTES)
                .httpRequestCustomizer((request, method, to, body, context) -> headers.forEach(request::setHeader))
                .build();
        return gone -> new HttpTransport(transport, client);
    }

    private Map<String, String> reveal(String name, Map<String, SecretText> texts) throws ToolFailure {
        Map<String, String> revealed = new LinkedHashMap<>();
        for (Map.Entry<String, SecretText> each : texts.entrySet()) {
            revealed.put(each.getKey(), each.getValue().reveal(secrets).orElseThrow(() -> {
                LOG.warn(
                        "Tool server {} needs a missing secret for {}; its tools are unavailable", name, each.getKey());
                return broken();
            }));
        }
        return revealed;
    }

    private static ToolFailure broken() {
        return new ToolFailure(ToolFailure.Kind.BROKEN, "The tool's server is not available.");
    }
}
