package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;

/** The usage of one request of a run. */
public record RequestUsage(int request, String provider, String model, Usage usage) {}
