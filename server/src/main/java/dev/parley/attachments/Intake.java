package dev.parley.attachments;

import dev.parley.attachments.images.ImageType;
import dev.parley.attachments.images.Images;
import dev.parley.attachments.images.Probe;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Receives uploads and determines their kind by their bytes, before anything is stored. */
final class Intake implements AutoCloseable {
    /** Probing a large file keeps a processor busy, so only few probes run at a time. */
    private static final int PROBING = 2;

    private static final String UNKNOWN = "application/octet-stream";
    private static final int MAX_TOKEN = 80;
    private static final Alphabet TOKEN = Alphabet.of("a-zA-Z0-9_!#$&^.+-");
    private static final Alphabet PARAMETER = Alphabet.of("a-zA-Z0-9_ !#$&^.+=\"/-");
    private static final Alphabet PRINTABLE = Alphabet.of("a-zA-Z0-9_/.+;= -");

    private final Blobs blobs;
    private final Limits.Objects limits;
    private final UploadSlots slots;
    private final ExecutorService probing = Executors.newFixedThreadPool(
            PROBING, Thread.ofPlatform().name("parley-probe-", 0).daemon().factory());

    Intake(Blobs blobs, Limits.Objects limits) {
        this.blobs = blobs;
        this.limits = limits;
        this.slots = new UploadSlots(limits.uploadsAtOnce(), limits.uploadsPerActor());
    }

    /** @param owner the actor that sends the bytes, or on whose behalf they are sent */
    ReceivedUpload receive(Actor owner, InputStream bytes) throws IOException {
        slots.take(owner);
        try {
            return staged(bytes);
        } finally {
            slots.giveBack(owner);
        }
    }

    private ReceivedUpload staged(InputStream bytes) throws IOException {
        StagedBlob staged = blobs.stage(bytes, limits.uploadBytes(), () -> UploadLimit.exceeded(limits));
        boolean probed = false;
        try {
            ReceivedUpload received = new ReceivedUpload(staged, probe(staged));
            probed = true;
            return received;
        } finally {
            if (!probed) {
                staged.close();
            }
        }
    }

    private Probe probe(StagedBlob staged) throws IOException {
        try {
            return probing.submit(() -> Images.probe(staged.file())).get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException unreadable ? unreadable : new IOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The upload was interrupted.");
        }
    }

    @Override
    public void close() {
        probing.shutdownNow();
    }

    /**
     * The type under which the bytes are served.
     *
     * @param width null if the bytes are no image
     */
    record Kind(
            String mimeType,
            @Nullable Integer width,
            @Nullable Integer height) {}

    /** The kind of an upload that a message will show. The upload must be an image of the declared type. */
    Kind requireImage(ReceivedUpload received, @Nullable String declared) {
        return switch (received.probe()) {
            case Probe.Image image -> {
                if (declared != null
                        && !isUnknown(declared)
                        && ImageType.ofMimeType(declared).orElse(null) != image.type()) {
                    throw unsupported(
                            "The file is " + image.type().mimeType() + ", but was sent as " + brief(declared) + ".");
                }
                yield kind(image);
            }
            case Probe.Broken(String sentence) -> throw unsupported(sentence);
            case Probe.Other(String kind) ->
                throw unsupported("The file is " + kind + "; only png, jpeg, gif, webp and avif images are accepted.");
        };
    }

    /**
     * The kind of a file inside a message. An image keeps its own type, even if another type is declared. For other
     * files, the rules of {@link #stored} apply.
     */
    Kind messagePart(ReceivedUpload received, @Nullable String declared) {
        return received.probe() instanceof Probe.Image image ? kind(image) : stored(received, declared);
    }

    /**
     * The kind of an upload that is only stored. Any file is allowed, unless it is declared as an image and is no
     * image.
     */
    Kind stored(ReceivedUpload received, @Nullable String declared) {
        Optional<ImageType> claimed = declared == null ? Optional.empty() : ImageType.ofMimeType(declared);
        boolean unknown = declared == null || isUnknown(declared);
        if (claimed.isPresent() || unknown && received.probe() instanceof Probe.Image) {
            return requireImage(received, declared);
        }
        return new Kind(declared != null && isServable(declared) ? declared : UNKNOWN, null, null);
    }

    private Kind kind(Probe.Image image) {
        if ((long) image.width() * image.height() > limits.imagePixels()) {
            throw new ProblemException(
                    Problem.PAYLOAD_TOO_LARGE,
                    "The image has " + image.width() + " × " + image.height() + " pixels; the limit is "
                            + limits.imagePixels() + ".");
        }
        return new Kind(image.type().mimeType(), image.width(), image.height());
    }

    /** True if the declared type can be returned: it has at most one parameter, and only plain characters. */
    private static boolean isServable(String declared) {
        List<String> parts = Split.at(';', declared, 2);
        List<String> names = Split.at('/', parts.getFirst(), 2);
        return names.size() == 2
                && names.stream().allMatch(name -> TOKEN.spells(name, 1, MAX_TOKEN))
                && (parts.size() == 1 || PARAMETER.spells(parts.getLast(), 1, MAX_TOKEN));
    }

    private static boolean isUnknown(String declared) {
        return declared.strip().equalsIgnoreCase(UNKNOWN);
    }

    /** The part of a caller's text that an error repeats. */
    private static String brief(String declared) {
        return PRINTABLE.replaceOthers(declared.substring(0, Math.min(declared.length(), 80)), '?');
    }

    private static ProblemException unsupported(String sentence) {
        return new ProblemException(Problem.UNSUPPORTED_MEDIA_TYPE, sentence);
    }
}
