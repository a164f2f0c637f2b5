package dev.parley.agents.tools;

import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool server. It is connected on first use and again after a failure, with a back-off that a successful call
 * resets.
 */
final class ToolServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolServer.class);
    private static final Duration LISTING_LIFETIME = Duration.ofMinutes(5);
    private static final Duration MAX_LISTING_TIME = Duration.ofSeconds(60);

    private final ToolServerConfig config;
    private final ToolTransports transports;
    private final Secrets secrets;
    private final Clock clock;
    private final Duration greeting;
    private final RetryGate retries;

    /** Held during the handshake, so that there is never a second connection. */
    private final ReentrantLock connecting = new ReentrantLock();

    /** Held while the tools are listed, so that concurrent callers share one request. */
    private final ReentrantLock listing = new ReentrantLock();

    private volatile @Nullable McpConnection connection;
    private volatile boolean closed;
    private volatile boolean outdated = true;
    private volatile Listing latest = new Listing(0, false, List.of(), Instant.MIN);

    /**
     * The outcome of listing the server's tools.
     *
     * @param round number of the request
     */
    private record Listing(int round, boolean succeeded, List<ServerTool> tools, Instant freshUntil) {}

    ToolServer(ToolServerConfig config, ToolTransports transports, Secrets secrets, Clock clock, Duration greeting) {
        this.config = config;
        this.transports = transports;
        this.secrets = secrets;
        this.clock = clock;
        this.greeting = greeting;
        retries = new RetryGate(clock);
    }

    /** The tools that the server offers now; none if it cannot be reached, since its tools cannot be called. */
    List<ServerTool> list() throws InterruptedException {
        Listing before = latest;
        if (isFresh(before)) {
            return before.tools();
        }
        if (!listing.tryLock()) {
            if (before.succeeded()) {
                return before.tools();
            }
            listing.lockInterruptibly();
        }
        try {
            // While this caller waited for the lock, another caller may have listed the tools.
            if (latest.round() == before.round()) {
                latest = listTools(before.round() + 1);
            }
            return latest.tools();
        } finally {
            listing.unlock();
        }
    }

    private boolean isFresh(Listing known) {
        return known.succeeded() && !outdated && clock.instant().isBefore(known.freshUntil());
    }

    private Listing listTools(int round) throws InterruptedException {
        ToolCatalogue catalogue = new ToolCatalogue(config);
        outdated = false;
        boolean listed = false;
        try {
            McpConnection current = connected();
            ask(current, () -> {
                current.list(catalogue, listingTime());
                return catalogue;
            });
            listed = true;
            return new Listing(round, true, catalogue.tools(), clock.instant().plus(LISTING_LIFETIME));
        } catch (ToolFailure failure) {
            LOG.warn(
                    "Could not list the tools of tool server {}; it offers none until the next attempt: {}",
                    config.name(),
                    hide(failure.sentence()));
            return new Listing(round, false, List.of(), Instant.MIN);
        } finally {
            outdated |= !listed;
        }
    }

    /** Timeout of all pages together, since runs wait for the list. */
    private Duration listingTime() {
        Duration twoCalls = config.timeout().multipliedBy(2);
        return twoCalls.compareTo(MAX_LISTING_TIME) < 0 ? twoCalls : MAX_LISTING_TIME;
    }

    ToolOutcome call(ServerTool tool, ObjectNode arguments) throws InterruptedException {
        if (!config.offers(tool.tool())) {
            return ToolOutcome.failed("There is no such tool.");
        }
        ToolOutcome outcome;
        try {
            McpSchema.CallToolResult result = result(tool, arguments);
            outcome = new ToolOutcome(ResultText.of(result), Boolean.TRUE.equals(result.isError()));
            retries.succeeded();
        } catch (ToolFailure failure) {
            LOG.info("Call of tool {} failed; the model receives the error: {}", tool.name(), failure.kind());
            outcome = ToolOutcome.failed(failure.sentence());
        }
        return new ToolOutcome(ResultText.bounded(hide(outcome.text()), config.maxResultCharacters()), outcome.error());
    }

    private McpSchema.CallToolResult result(ServerTool tool, ObjectNode arguments)
            throws ToolFailure, InterruptedException {
        try {
            return resultOf(connected(), tool, arguments);
        } catch (ToolFailure failure) {
            if (failure.kind() != ToolFailure.Kind.SESSION_LOST) {
                throw failure;
            }
            // The server has not carried out the call, so it is safe to repeat the request.
            return resultOf(connected(), tool, arguments);
        }
    }

    private McpSchema.CallToolResult resultOf(McpConnection current, ServerTool tool, ObjectNode arguments)
            throws ToolFailure, InterruptedException {
        return ask(current, () -> current.call(tool.tool(), arguments, config.timeout()));
    }

    /** A request over a connection. */
    private interface Question<T> {
        T ask() throws ToolFailure, InterruptedException;
    }

    private <T> T ask(McpConnection current, Question<T> question) throws ToolFailure, InterruptedException {
        try {
            return question.ask();
        } catch (ToolFailure failure) {
            switch (failure.kind()) {
                case REFUSED, TIMEOUT -> {}
                case BROKEN, SESSION_LOST -> current.close();
            }
            throw failure;
        }
    }

    private McpConnection connected() throws ToolFailure, InterruptedException {
        McpConnection known = connection;
        if (known != null && known.isReady()) {
            return known;
        }
        connecting.lockInterruptibly();
        try {
            return reconnected();
        } finally {
            connecting.unlock();
        }
    }

    private McpConnection reconnected() throws ToolFailure, InterruptedException {
        McpConnection known = connection;
        if (known != null && known.isReady()) {
            return known;
        }
        if (known != null) {
            connection = null;
            outdated = true;
            if (!known.isAbandoned()) {
                retries.failed();
            }
        }
        if (closed || !retries.isOpen()) {
            throw unavailable();
        }
        McpConnection fresh = new McpConnection(config.name(), transports.of(config), () -> outdated = true);
        connection = fresh;
        try {
            if (closed) {
                throw unavailable();
            }
            fresh.initialize(greeting);
            return fresh;
        } catch (ToolFailure failure) {
            LOG.warn(
                    "Could not connect to tool server {}; it is unavailable until the back-off ends: {}",
                    config.name(),
                    hide(failure.sentence()));
            fresh.close();
            connection = null;
            retries.failed();
            throw unavailable();
        } catch (InterruptedException stopped) {
            fresh.abandon();
            throw stopped;
        }
    }

    private static ToolFailure unavailable() {
        return new ToolFailure(ToolFailure.Kind.BROKEN, "The tool's server is not available at the moment.");
    }

    private String hide(String text) {
        String hidden = text;
        for (SecretText each : config.transport().texts().values()) {
            hidden = each.hide(hidden, secrets);
        }
        return hidden;
    }

    @Override
    public void close() {
        closed = true;
        McpConnection known = connection;
        if (known != null) {
            known.close();
        }
    }
}
