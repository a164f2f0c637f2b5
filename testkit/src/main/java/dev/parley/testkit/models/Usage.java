package dev.parley.testkit.models;

/**
 * The tokens of an answer, as the provider counts them.
 *
 * @param in all tokens read, including tokens from a cache
 * @param cached the part of {@code in} that came from a cache
 */
record Usage(int in, int out, int cached) {
    static final Usage UNTOLD = new Usage(11, 7, 0);

    int fresh() {
        return in - cached;
    }
}
