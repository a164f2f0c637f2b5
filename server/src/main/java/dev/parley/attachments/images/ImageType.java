package dev.parley.attachments.images;

import dev.parley.protocol.MediaType;
import java.util.Optional;

/** The types of images that may be uploaded. */
public enum ImageType {
    PNG("image/png"),
    JPEG("image/jpeg"),
    GIF("image/gif"),
    WEBP("image/webp"),
    AVIF("image/avif");

    private final String mimeType;

    ImageType(String mimeType) {
        this.mimeType = mimeType;
    }

    public String mimeType() {
        return mimeType;
    }

    /** The type that a caller declared; parameters and case are ignored, and obsolete names are known. */
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
