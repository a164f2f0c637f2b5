package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.MissingBlob;
import dev.parley.basics.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Whether the store has the bytes of every object, as they were. */
final class BlobCheck {
    private static final int PAGE = 500;
    private static final int BUFFER = 64 * 1024;
    private static final String HELD = """
            select b.sha256, b.bytes, (select min(o.object_id::text) from objects o where o.sha256 = b.sha256)
            from blobs b where b.sha256 > ? and exists (select from objects o where o.sha256 = b.sha256)
            order by b.sha256 limit %d""".formatted(PAGE);

    private final Snapshots snapshots;
    private final BlobStore store;
    private final Consumer<String> findings;
    private final byte[] buffer = new byte[BUFFER];

    private record Held(BlobId id, long bytes, String object) {}

    BlobCheck(Snapshots snapshots, BlobStore store, Consumer<String> findings) {
        this.snapshots = snapshots;
        this.store = store;
        this.findings = findings;
    }

    /** Returns how many blobs were looked at. */
    long run() {
        long count = 0;
        List<Held> page = page(new byte[0]);
        while (!page.isEmpty()) {
            page.forEach(this::check);
            count += page.size();
            page = page(page.getLast().id().bytes());
        }
        return count;
    }

    private List<Held> page(byte[] after) {
        return snapshots.look(connection -> read(connection, after));
    }

    private static List<Held> read(Connection connection, byte[] after) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(HELD)) {
            query.setBytes(1, after);
            List<Held> page = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    page.add(new Held(BlobId.of(row.getBytes(1)), row.getLong(2), row.getString(3)));
                }
            }
            return page;
        }
    }

    private void check(Held held) {
        MessageDigest digest = Sha256.begin();
        try (InputStream in = store.open(held.id(), 0, held.bytes())) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            if (!BlobId.of(digest.digest()).equals(held.id())) {
                findings.accept(
                        "object " + held.object() + ": its bytes " + held.id().hex() + " are not what they were");
            }
        } catch (MissingBlob missing) {
            findings.accept(
                    "object " + held.object() + ": its bytes " + held.id().hex() + " are missing");
        } catch (IOException broken) {
            findings.accept(
                    "object " + held.object() + ": its bytes " + held.id().hex() + " cannot be read: " + broken);
        }
    }
}
