package dev.parley.attachments.images;

/** The kind of a file, by its bytes. */
public sealed interface Probe {
    /** An accepted image, whole from its first byte to its last. The dimensions are those that the file states. */
    record Image(ImageType type, int width, int height) implements Probe {}

    /**
     * A file that begins like an accepted image, but is not whole or is a file of another kind as well. The sentence is
     * for the caller.
     */
    record Broken(String sentence) implements Probe {}

    /** Any other file. The kind fits into a sentence, such as "an SVG document" or "text". */
    record Other(String kind) implements Probe {}
}
