package dev.parley.attachments.images;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Determines the kind of a file by its bytes alone, regardless of its name and of the type that its sender declares.
 */
public final class Images {
    private static final int HEAD = 4096;

    private Images() {}

    /** Throws only if the disk fails; the file's contents never cause an exception. */
    public static Probe probe(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return probe(new FileBytes(channel::read, channel.size()));
        }
    }

    static Probe probe(FileBytes in) throws IOException {
        byte[] head = in.slice(0, HEAD);
        Optional<ImageType> type = beginning(head);
        return type.isPresent() ? walk(type.get(), in) : new Probe.Other(OtherKinds.name(head));
    }

    private static Optional<ImageType> beginning(byte[] head) {
        String start = new String(head, StandardCharsets.ISO_8859_1);
        if (start.startsWith("\u0089PNG")) {
            return Optional.of(ImageType.PNG);
        }
        if (start.startsWith("\u00ff\u00d8")) {
            return Optional.of(ImageType.JPEG);
        }
        if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
            return Optional.of(ImageType.GIF);
        }
        if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) {
            return Optional.of(ImageType.WEBP);
        }
        return Brands.in(start).stream().anyMatch(Images::isAvif) ? Optional.of(ImageType.AVIF) : Optional.empty();
    }

    private static boolean isAvif(String brand) {
        return brand.equals("avif") || brand.equals("avis");
    }

    private static Probe walk(ImageType type, FileBytes in) throws IOException {
        try {
            Probe.Image image = switch (type) {
                case PNG -> PngWalk.walk(in);
                case JPEG -> JpegWalk.walk(in);
                case GIF -> GifWalk.walk(in);
                case WEBP -> WebpWalk.walk(in);
                case AVIF -> AvifWalk.walk(in);
            };
            Optional<String> other = Polyglots.find(in);
            return other.isPresent()
                    ? new Probe.Broken("The file is a " + type + " image and " + other.get() + " at once.")
                    : image;
        } catch (BrokenImage e) {
            return new Probe.Broken("The " + type + " image is not whole: " + e.getMessage() + ".");
        }
    }
}
