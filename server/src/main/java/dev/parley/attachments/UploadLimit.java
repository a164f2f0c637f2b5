package dev.parley.attachments;

import dev.parley.http.BodyLimit;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/** The size limit of an upload, and the error message that all checks of the limit share. */
public final class UploadLimit {
    /** The most bytes of boundaries, headers and other form fields beside the file. */
    private static final long FORM = 64 * 1024;

    private UploadLimit() {}

    /**
     * The body limit of a route for uploads. The bytes of the file itself are counted when they are read from the form.
     */
    public static BodyLimit ofBody(Limits.Objects limits) {
        return new BodyLimit(limits.uploadBytes() + FORM, sentence(limits));
    }

    static ProblemException exceeded(Limits.Objects limits) {
        return new ProblemException(
                Problem.PAYLOAD_TOO_LARGE, sentence(limits), List.of(), Map.of("limit_bytes", limits.uploadBytes()));
    }

    private static String sentence(Limits.Objects limits) {
        return "The file is larger than the limit of " + limits.uploadBytes() + " bytes for an upload.";
    }
}
