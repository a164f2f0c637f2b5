package dev.parley.archive;

import dev.parley.basics.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Reads the rows of one file of an archive, one at a time, and checks at the end that the file is undamaged. */
final class RowReader implements Closeable {
    /** A value may have any length that the database allows. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            // This class closes the stream itself, after all bytes are hashed.
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    private static final int BUFFER = 64 * 1024;

    private final ArchivedFile file;
    private final Path path;
    private final MessageDigest digest = Sha256.begin();
    private final InputStream in;
    private final JsonParser parser;
    private RowWriter.Header header = new RowWriter.Header("", List.of());

    private RowReader(ArchivedFile file, Path path, InputStream in) {
        this.file = file;
        this.path = path;
        this.in = new DigestInputStream(in, digest);
        this.parser = FACTORY.createParser(ObjectReadContext.empty(), this.in);
    }

    static RowReader open(ArchiveFolder folder, ArchivedFile file) {
        Path path = folder.file(file);
        try {
            return new RowReader(file, path, Files.newInputStream(path));
        } catch (IOException unreadable) {
            throw new ArchiveRefused("The file " + path + " cannot be read.", unreadable);
        }
    }

    /** The header of the row that was read last. */
    RowWriter.Header header() {
        return header;
    }

    /** The values of the next row, in the order of its header's columns; empty at the end of the file. */
    Optional<List<@Nullable String>> next() {
        try {
            JsonToken token = parser.nextToken();
            while (token == JsonToken.START_OBJECT) {
                header = readHeader();
                token = parser.nextToken();
            }
            if (token == null) {
                return Optional.empty();
            }
            List<@Nullable String> values = readArray(token);
            if (values.size() != header.columns().size()) {
                throw damaged(null);
            }
            return Optional.of(values);
        } catch (JacksonException unreadable) {
            throw damaged(unreadable);
        }
    }

    private RowWriter.Header readHeader() {
        String table = "";
        List<String> columns = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("table")) {
                table = parser.getString();
            } else {
                readArray(value).forEach(column -> columns.add(String.valueOf(column)));
            }
        }
        return new RowWriter.Header(table, columns);
    }

    private List<@Nullable String> readArray(JsonToken start) {
        if (start != JsonToken.START_ARRAY) {
            throw damaged(null);
        }
        List<@Nullable String> values = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != JsonToken.END_ARRAY) {
            if (token == null || !token.isScalarValue()) {
                throw damaged(null);
            }
            values.add(token == JsonToken.VALUE_NULL ? null : parser.getString());
            token = parser.nextToken();
        }
        return values;
    }

    /** Reads the rest of the file, and refuses a file that differs from the exported one. */
    void requireWhole() {
        try {
            byte[] buffer = new byte[BUFFER];
            int read = 0;
            while (read >= 0) {
                read = in.read(buffer);
            }
            if (Files.size(path) != file.bytes()
                    || !HexFormat.of().formatHex(digest.digest()).equals(file.sha256())) {
                throw damaged(null);
            }
        } catch (IOException unreadable) {
            throw damaged(unreadable);
        }
    }

    private ArchiveRefused damaged(@Nullable Exception cause) {
        return new ArchiveRefused(
                "The file " + path
                        + " is damaged: it differs from what the export wrote. None of its rows is imported.",
                cause);
    }

    @Override
    public void close() throws IOException {
        parser.close();
        in.close();
    }
}
