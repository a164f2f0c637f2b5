package dev.parley.log;

/** The direction in which a thread is read. */
public enum Direction {
    FORWARDS("asc", ">"),
    BACKWARDS("desc", "<");

    final String order;
    final String comparison;

    Direction(String order, String comparison) {
        this.order = order;
        this.comparison = comparison;
    }
}
