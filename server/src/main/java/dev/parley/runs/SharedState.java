package dev.parley.runs;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.CannotPatch;
import dev.parley.protocol.agui.JsonPatch;
import dev.parley.protocol.agui.StateEvent;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** What a run makes of the state that its thread shares. A change that does not apply changes nothing, as in clients. */
final class SharedState {
    private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);

    private final Supplier<Optional<String>> before;
    private @Nullable JsonNode now;

    /** @param before the thread's state as JSON text, asked for only if somebody changes a part of it */
    SharedState(Supplier<Optional<String>> before) {
        this.before = before;
    }

    void note(AguiEvent event) {
        switch (event) {
            case StateEvent.Snapshot snapshot -> now = snapshot.snapshot();
            case StateEvent.Delta delta -> {
                try {
                    now = JsonPatch.apply(current(), delta.delta());
                } catch (CannotPatch inapplicable) {
                    LOG.debug("A change of a thread's state is left out: {}", inapplicable.getMessage());
                }
            }
            default -> {}
        }
    }

    private JsonNode current() {
        return now != null ? now : before.get().map(Json.MAPPER::readTree).orElseGet(Json.MAPPER::createObjectNode);
    }

    /** The new state as JSON text, if there is one. */
    Optional<String> changed() {
        return Optional.ofNullable(now).map(Json.MAPPER::writeValueAsString).map(StorableText::mended);
    }
}
