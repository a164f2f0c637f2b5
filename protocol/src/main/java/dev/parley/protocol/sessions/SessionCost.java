package dev.parley.protocol.sessions;

import java.math.BigDecimal;

/** What was spent in one currency. */
public record SessionCost(String currency, BigDecimal cost) {}
