package dev.parley.attachments.images;

import dev.parley.protocol.MediaType;
import java.util.Optional;

/** The kinds of image that may be uploaded. */
public enum ImageType {
    PNG("image/png", "png"),
    JPEG("image/jpeg", "jpg"),
    GIF("image/gif", "gif"),
    WEBP("image/webp", "webp"),
    AVIF("image/avif", "avif");

    private final String mimeType;
    private final String extension;

    ImageType(String mimeType, String extension) {
        this.mimeType = mimeType;
        this.extension = extension;
    }

    public String mimeType() {
        return mimeType;
    }

    /** How names of such files end, without the dot. */
    public String extension() {
        return extension;
    }

    /** The type that a caller declared; parameters and case do not count, and old names mean what they meant. */
    public static Optional<ImageType> ofMimeType(String declared) {
        return switch (MediaType.parse(declared).essence()) {
            case "image/png", "image/x-png", "image/apng" -> Optional.of(PNG);
            case "image/jpeg", "image/jpg", "image/pjpeg" -> Optional.of(JPEG);
            case "image/gif" -> Optional.of(GIF);
            case "image/webp" -> Optional.of(WEBP);
            case "image/avif" -> Optional.of(AVIF);
            default -> Optional.empty();
        };
    }
}
