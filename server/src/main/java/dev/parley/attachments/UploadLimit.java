package dev.parley.attachments;

import dev.parley.http.BodyLimit;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/** How large an upload may be, said in the same words wherever that is found out. */
public final class UploadLimit {
    /** What boundaries, headers and the other fields of a form may take beside the file. */
    private static final long FORM = 64 * 1024;

    private UploadLimit() {}

    /** For a route that takes uploads: the file's own bytes are counted when they have come out of the form. */
    public static BodyLimit ofBody(Limits.Objects limits) {
        return new BodyLimit(limits.uploadBytes() + FORM, sentence(limits));
    }

    static ProblemException exceeded(Limits.Objects limits) {
        return new ProblemException(
                Problem.PAYLOAD_TOO_LARGE, sentence(limits), List.of(), Map.of("limit_bytes", limits.uploadBytes()));
    }

    private static String sentence(Limits.Objects limits) {
        return "The file is larger than the " + limits.uploadBytes() + " bytes that an upload may have.";
    }
}
