package dev.parley.protocol;

import java.math.BigDecimal;

/** A decimal that is written as it was read: {@code 1e3} stays {@code 1e3} and does not become {@code 1E+3}. */
final class VerbatimDecimal extends BigDecimal {
    private static final long serialVersionUID = 1;

    private final String text;

    private VerbatimDecimal(BigDecimal value, String text) {
        super(value.unscaledValue(), value.scale());
        this.text = text;
    }

    static BigDecimal of(BigDecimal value, String text) {
        return value.toString().equals(text) ? value : new VerbatimDecimal(value, text);
    }

    @Override
    public String toString() {
        return text;
    }
}
