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

/** Checks that the store has the blob of every object, undamaged. */
final class BlobCheck {
    private static final int PAGE = 500;
    private static final int BUFFER = 64 * 1024;
    private static final String PAGE_QUERY = """
            select b.sha256, b.bytes, (select min(o.object_id::text) from objects o where o.sha256 = b.sha256)
            from blobs b where b.sha256 > ? and exists (select from objects o where o.sha256 = b.sha256)
            order by b.sha256 limit %d""".formatted(PAGE);

    private final Snapshots snapshots;
    private final BlobStore store;
    private final Consumer<String> findings;
    private final byte[] buffer = new byte[BUFFER];

    private record ObjectBlob(BlobId id, long bytes, String object) {}

    BlobCheck(Snapshots snapshots, BlobStore store, Consumer<String> findings) {
        this.snapshots = snapshots;
        this.store = store;
        this.findings = findings;
    }

    /** Returns the number of checked blobs. */
    long run() {
        long count = 0;
        List<ObjectBlob> page = page(new byte[0]);
        while (!page.isEmpty()) {
            page.forEach(this::check);
            count += page.size();
            page = page(page.getLast().id().bytes());
        }
        return count;
    }

    private List<ObjectBlob> page(byte[] after) {
        return snapshots.read(connection -> read(connection, after));
    }

    private static List<ObjectBlob> read(Connection connection, byte[] after) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(PAGE_QUERY)) {
            query.setBytes(1, after);
            List<ObjectBlob> page = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    page.add(new ObjectBlob(BlobId.of(row.getBytes(1)), row.getLong(2), row.getString(3)));
                }
            }
            return page;
        }
    }

    private void check(ObjectBlob blob) {
        MessageDigest digest = Sha256.begin();
        try (InputStream in = store.open(blob.id(), 0, blob.bytes())) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            if (!BlobId.of(digest.digest()).equals(blob.id())) {
                findings.accept(
                        "object " + blob.object() + ": its blob " + blob.id().hex() + " is damaged");
            }
        } catch (MissingBlob missing) {
            findings.accept(
                    "object " + blob.object() + ": its blob " + blob.id().hex() + " is missing");
        } catch (IOException broken) {
            findings.accept(
                    "object " + blob.object() + ": its blob " + blob.id().hex() + " cannot be read: " + broken);
        }
    }
}
