package dev.parley.attachments.images;

/** What a file turned out to be. */
public sealed interface Probe {
    /** One of ours, whole from its first byte to its last. The dimensions stand as the file states them. */
    record Image(ImageType type, int width, int height) implements Probe {}

    /** Begins like one of ours but is not whole, or is something else as well. The sentence is for the caller. */
    record Broken(String sentence) implements Probe {}

    /** Something else, named so that a sentence can go on with it: "an SVG document", "text". */
    record Other(String what) implements Probe {}
}
