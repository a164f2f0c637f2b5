package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;

/** What one request of a run cost. */
public record RequestUsage(int request, String provider, String model, Usage usage) {}
