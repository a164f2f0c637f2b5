package dev.parley.agents.demo;

import dev.parley.agents.ModelRequests;
import dev.parley.assembly.ContextMessage;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Model requests for agents that ask no models: a request fails the test. */
final class NoModels implements ModelRequests {
    static final ModelRequests REQUESTS = new NoModels();

    private NoModels() {}

    @Override
    public Request next(Asking asking, List<ContextMessage> soFar) {
        throw new AssertionError("no model is asked here");
    }

    @Override
    public Optional<InputStream> open(ContextMessage.Part.Picture picture) {
        return Optional.empty();
    }

    @Override
    public BigDecimal spentByUser(Instant since, String currency) {
        return BigDecimal.ZERO;
    }
}
