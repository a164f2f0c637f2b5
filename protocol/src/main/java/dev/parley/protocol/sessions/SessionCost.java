package dev.parley.protocol.sessions;

import java.math.BigDecimal;

/** The cost in one currency. */
public record SessionCost(String currency, BigDecimal cost) {}
