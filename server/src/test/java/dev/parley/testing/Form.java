package dev.parley.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A form with files, as a browser sends it. */
public final class Form {
    private static final String BOUNDARY = "----form-of-a-test";

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    /** @param type null for a part without one */
    public static Form file(String filename, @Nullable String type, byte[] bytes) {
        return new Form().add("file", filename, type, bytes);
    }

    public Form add(String name, @Nullable String filename, @Nullable String type, byte[] bytes) {
        write("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"");
        write(filename == null ? "\r\n" : "; filename=\"" + filename + "\"\r\n");
        write(type == null ? "\r\n" : "Content-Type: " + type + "\r\n\r\n");
        body.writeBytes(bytes);
        write("\r\n");
        return this;
    }

    public Form field(String name, String value) {
        return add(name, null, null, value.getBytes(StandardCharsets.UTF_8));
    }

    public String contentType() {
        return "multipart/form-data; boundary=" + BOUNDARY;
    }

    public byte[] bytes() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(body.toByteArray());
        whole.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return whole.toByteArray();
    }

    /** Uploads this form as an attachment. */
    public Api.Reply uploadBy(Api api, String... headers) {
        return api.send("POST", "/api/v1/agent/attachments", contentType(), bytes(), headers);
    }

    private void write(String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
