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
 * One server of tools: connected when it is first needed and again after a failure, the more failures the later. A call
 * that succeeds forgives them.
 */
final class ToolServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolServer.class);
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final Duration MAX_LISTING = Duration.ofSeconds(60);

    private final ToolServerConfig config;
    private final Wires wires;
    private final Secrets secrets;
    private final Clock clock;
    private final Duration greeting;
    private final RetryGate retries;

    /** Held while the server is greeted, so that there is one connection. */
    private final ReentrantLock connecting = new ReentrantLock();

    /** Held while it is asked for its tools, so that it is asked once for all who want to know. */
    private final ReentrantLock listing = new ReentrantLock();

    private volatile @Nullable McpConnection connection;
    private volatile boolean closed;
    private volatile boolean outdated = true;
    private volatile Listing latest = new Listing(0, false, List.of(), Instant.MIN);

    /**
     * What came of asking for its tools.
     *
     * @param round how often it had been asked by then
     */
    private record Listing(int round, boolean succeeded, List<ServerTool> tools, Instant freshUntil) {}

    ToolServer(ToolServerConfig config, Wires wires, Secrets secrets, Clock clock, Duration greeting) {
        this.config = config;
        this.wires = wires;
        this.secrets = secrets;
        this.clock = clock;
        this.greeting = greeting;
        retries = new RetryGate(clock);
    }

    /** What it offers now; nothing if it cannot be asked, since what cannot be called is not offered. */
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
            // Whoever held the lock has asked already, for us as well.
            if (latest.round() == before.round()) {
                latest = askedForTools(before.round() + 1);
            }
            return latest.tools();
        } finally {
            listing.unlock();
        }
    }

    private boolean isFresh(Listing known) {
        return known.succeeded() && !outdated && clock.instant().isBefore(known.freshUntil());
    }

    private Listing askedForTools(int round) throws InterruptedException {
        ToolCatalogue catalogue = new ToolCatalogue(config);
        outdated = false;
        boolean listed = false;
        try {
            McpConnection asked = connected();
            ask(asked, () -> {
                asked.list(catalogue, listingTime());
                return catalogue;
            });
            listed = true;
            return new Listing(round, true, catalogue.tools(), clock.instant().plus(FRESH));
        } catch (ToolFailure failure) {
            LOG.warn("The tools of {} cannot be listed: {}", config.name(), hide(failure.sentence()));
            return new Listing(round, false, List.of(), Instant.MIN);
        } finally {
            outdated |= !listed;
        }
    }

    /** For all pages together: runs wait for it. */
    private Duration listingTime() {
        Duration twoCalls = config.timeout().multipliedBy(2);
        return twoCalls.compareTo(MAX_LISTING) < 0 ? twoCalls : MAX_LISTING;
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
            LOG.info("A call of {} failed: {}", tool.name(), failure.kind());
            outcome = ToolOutcome.failed(failure.sentence());
        }
        return new ToolOutcome(ResultText.bounded(hide(outcome.text()), config.maxResultCharacters()), outcome.error());
    }

    private McpSchema.CallToolResult result(ServerTool tool, ObjectNode arguments)
            throws ToolFailure, InterruptedException {
        try {
            return resultOf(connected(), tool, arguments);
        } catch (ToolFailure failure) {
            if (failure.kind() != ToolFailure.Kind.FORGOTTEN) {
                throw failure;
            }
            // It has not been done, so that doing it again does it once.
            return resultOf(connected(), tool, arguments);
        }
    }

    private McpSchema.CallToolResult resultOf(McpConnection asked, ServerTool tool, ObjectNode arguments)
            throws ToolFailure, InterruptedException {
        return ask(asked, () -> asked.call(tool.tool(), arguments, config.timeout()));
    }

    /** Something that is asked of a connection. */
    private interface Question<T> {
        T ask() throws ToolFailure, InterruptedException;
    }

    private <T> T ask(McpConnection asked, Question<T> question) throws ToolFailure, InterruptedException {
        try {
            return question.ask();
        } catch (ToolFailure failure) {
            switch (failure.kind()) {
                case REFUSED, SLOW -> {}
                case BROKEN, FORGOTTEN -> asked.close();
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
            return connectedAnew();
        } finally {
            connecting.unlock();
        }
    }

    private McpConnection connectedAnew() throws ToolFailure, InterruptedException {
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
        McpConnection fresh = new McpConnection(config.name(), wires.of(config), () -> outdated = true);
        connection = fresh;
        try {
            if (closed) {
                throw unavailable();
            }
            fresh.greet(greeting);
            return fresh;
        } catch (ToolFailure failure) {
            LOG.warn("{} could not be connected: {}", config.name(), hide(failure.sentence()));
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
