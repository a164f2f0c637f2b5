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

/** What a run makes of the state that its thread shares. A change that does not apply changes nothing, as in clients. */
public final class SharedState {
    private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);

    private static final long MAX_CHARACTERS = 8L * 1024 * 1024;

    /** Values that the changes of one run copy, all together: each change copies the state that it changes. */
    static final long MAX_COPIED = 50_000_000;

    private final Supplier<Optional<String>> before;
    private @Nullable JsonNode now;
    /** The thread's state, read once. */
    private @Nullable JsonNode base;
    /** How many values the state has that the next change is made to. */
    private long values;

    private long copied;

    /** @param before the thread's state as JSON text, asked for only if somebody changes a part of it */
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
     * Whether a change would make it larger than any state may be: clients would die of it. Or whether the run has changed
     * a large one too often.
     */
    public boolean isTooMuch(AguiEvent event) {
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
                    LOG.debug("A change of a thread's state is left out: {}", inapplicable.getMessage());
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

    /** The new state, if there is one. */
    public Optional<JsonNode> now() {
        return Optional.ofNullable(now);
    }

    /** The new state as JSON text, if there is one; one that has grown beyond all measure is none. */
    public Optional<String> changed() {
        return Optional.ofNullable(now)
                .filter(state -> size(state, MAX_CHARACTERS) <= MAX_CHARACTERS)
                .map(Json.MAPPER::writeValueAsString)
                .map(Text::mended);
    }

    /** Roughly how long its text is; counted no further than to a limit, since copies make it long without taking room. */
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
