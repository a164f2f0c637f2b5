package dev.parley.runs.guard;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.CannotPatch;
import dev.parley.protocol.agui.JsonPatch;
import dev.parley.protocol.agui.StateEvent;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The state that a run shares with its thread, including the run's changes. The changes are snapshots and JSON Patches
 * (<a href="https://www.rfc-editor.org/rfc/rfc6902">RFC 6902</a>). A patch that does not apply changes nothing, as in
 * clients.
 */
public final class SharedState {
    private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);

    private static final long MAX_CHARACTERS = 8L * 1024 * 1024;

    /** The number of values that all changes of one run may copy together. Each change copies the state. */
    static final long MAX_COPIED = 50_000_000;

    private final Supplier<Optional<String>> before;
    private @Nullable JsonNode now;
    /** The thread's state, read once. */
    private @Nullable JsonNode base;
    /** The number of values in the current state; the next change copies all of these values. */
    private long values;

    private long copied;

    /** @param before the thread's state as JSON text, read only if the run changes a part of the state */
    public SharedState(Supplier<Optional<String>> before) {
        this.before = before;
    }

    public void note(AguiEvent event) {
        after(event).ifPresent(state -> {
            now = state;
            values = count(state);
        });
    }

    /**
     * True if the change would make the state larger than clients accept, or if the run has changed a large state too
     * often.
     */
    public boolean exceedsLimits(AguiEvent event) {
        return copied > MAX_COPIED
                || after(event)
                        .filter(state -> size(state, MAX_CHARACTERS) > MAX_CHARACTERS)
                        .isPresent();
    }

    private Optional<JsonNode> after(AguiEvent event) {
        return switch (event) {
            case StateEvent.Snapshot snapshot -> Optional.of(snapshot.snapshot());
            case StateEvent.Delta delta -> {
                JsonNode current = current();
                copied += values;
                try {
                    yield Optional.of(JsonPatch.apply(current, delta.delta()));
                } catch (CannotPatch inapplicable) {
                    LOG.debug(
                            "Could not apply a change to the shared state of a thread; dropping it: {}",
                            inapplicable.getMessage());
                    yield Optional.empty();
                }
            }
            default -> Optional.empty();
        };
    }

    private JsonNode current() {
        if (now != null) {
            return now;
        }
        if (base == null) {
            base = before.get().map(Json.MAPPER::readTree).orElseGet(Json.MAPPER::createObjectNode);
            values = count(base);
        }
        return base;
    }

    private static long count(JsonNode node) {
        long count = 1;
        for (JsonNode child : node) {
            count += count(child);
        }
        return count;
    }

    /** The new state, if the run has changed it. */
    public Optional<JsonNode> now() {
        return Optional.ofNullable(now);
    }

    /** The new state as JSON text, if the run has changed it; empty if it exceeds the size limit. */
    public Optional<String> changed() {
        return Optional.ofNullable(now)
                .filter(state -> size(state, MAX_CHARACTERS) <= MAX_CHARACTERS)
                .map(Json.MAPPER::writeValueAsString)
                .map(Text::mended);
    }

    /**
     * The approximate length of the state's text. The count stops at the limit, because patches that copy values make
     * the text long without using memory.
     */
    private static long size(JsonNode node, long limit) {
        long size = 8;
        if (node.isString()) {
            size += node.stringValue().length();
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            size += member.getKey().length();
        }
        for (JsonNode child : node) {
            if (size > limit) {
                return size;
            }
            size += size(child, limit - size);
        }
        return size;
    }
}
