package dev.parley.face.agent;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.ReceivedUpload;
import dev.parley.attachments.UploadLimit;
import dev.parley.auth.CreationKey;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Multipart;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agent.AttachmentUploaded;
import dev.parley.protocol.agent.AttachmentUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of images in messages: upload, and a fresh URL for an uploaded image. */
public final class AttachmentFace {
    private static final String ROUTE = "/api/v1/agent/attachments";

    private final Attachments attachments;
    private final Limits.Objects limits;
    private final int opaqueId;

    public AttachmentFace(Attachments attachments, Limits.Objects limits, int opaqueId) {
        this.attachments = attachments;
        this.limits = limits;
        this.opaqueId = opaqueId;
    }

    public void addTo(Routes<Principal> routes) {
        routes.upload("POST", ROUTE, UploadLimit.ofBody(limits), Rate.UPLOAD, this::upload)
                .get(ROUTE + "/signed-url", Rate.POLL, this::signedUrl);
    }

    private Answer upload(Call<Principal> call) throws IOException {
        try (Form form = new Form()) {
            form.read(call);
            ReceivedUpload file = form.file;
            if (file == null) {
                throw ProblemException.invalidField("file", "is missing: send it as a part of multipart/form-data");
            }
            Attachments.Uploaded uploaded = attachments.keep(
                    call.caller(), file, form.label(), body -> CreationKey.of(call, ROUTE, body, opaqueId));
            ObjectKey key = uploaded.object().key();
            return Answer.created(new AttachmentUploaded(
                    key.bucket(), key.path(), uploaded.object().mimeType(), uploaded.url()));
        }
    }

    /** The parts of the form, in any order. */
    private final class Form implements AutoCloseable {
        private @Nullable ReceivedUpload file;
        private @Nullable String filename;
        private @Nullable String type;
        private @Nullable String threadId;
        private @Nullable String runId;

        void read(Call<Principal> call) throws IOException {
            Multipart parts = Multipart.of(call);
            Optional<Multipart.Part> next = parts.next();
            while (next.isPresent()) {
                Multipart.Part part = next.get();
                switch (part.name()) {
                    case "file" -> {
                        if (file != null) {
                            throw ProblemException.invalidField("file", "is given twice: send one file at a time");
                        }
                        filename = part.filename();
                        type = part.contentType();
                        file = attachments.receive(call.caller(), part.content());
                    }
                    case "threadId" -> threadId = text(part);
                    case "runId" -> runId = text(part);
                    default -> {
                        // Other fields of the form are ignored.
                    }
                }
                next = parts.next();
            }
        }

        private @Nullable String text(Multipart.Part part) throws IOException {
            int most = 4 * opaqueId;
            byte[] bytes = part.content().readNBytes(most + 1);
            if (bytes.length > most) {
                throw ProblemException.invalidField(
                        part.name(), "is longer than the limit of " + opaqueId + " characters");
            }
            return bytes.length == 0 ? null : new String(bytes, StandardCharsets.UTF_8);
        }

        Attachments.Label label() {
            return new Attachments.Label(threadId, runId, filename, type);
        }

        @Override
        public void close() {
            if (file != null) {
                file.close();
            }
        }
    }

    private Answer signedUrl(Call<Principal> call) {
        String bucket = call.query("bucket").orElseThrow(() -> ProblemException.invalidField("bucket", "is missing"));
        String path = call.query("path").orElseThrow(() -> ProblemException.invalidField("path", "is missing"));
        return Answer.ok(new AttachmentUrl(bucket, path, attachments.urlFor(call.caller(), bucket, path)));
    }
}
