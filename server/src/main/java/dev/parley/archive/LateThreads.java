package dev.parley.archive;

import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads that were created during the export. Clients choose ids, so a new thread may lie in a range that is
 * already exported. Rows of threads are never removed. Therefore a range without new threads still has the number of
 * threads that the export counted.
 */
final class LateThreads {
    private static final String LIMITS = "from threads where thread_id > ? and (?::uuid is null or thread_id <= ?)";
    /** The lower bound of the first range. A range excludes its lower bound, and no thread has this id. */
    private static final UUID LEAST = new UUID(0, 0);

    private final Connection connection;
    private final ArchiveFolder folder;

    LateThreads(Connection connection, ArchiveFolder folder) {
        this.connection = connection;
        this.folder = folder;
    }

    List<ThreadId> find(List<Piece> pieces) throws SQLException, IOException {
        List<ThreadId> late = new ArrayList<>();
        UUID after = LEAST;
        for (Piece piece : pieces) {
            UUID last = Objects.requireNonNull(piece.last());
            if (count(after, last) != piece.threads()) {
                Set<UUID> known = threadsOf(piece);
                threads(after, last).stream()
                        .filter(thread -> !known.contains(thread))
                        .forEach(thread -> late.add(new ThreadId(thread)));
            }
            after = last;
        }
        threads(after, null).forEach(thread -> late.add(new ThreadId(thread)));
        return late;
    }

    private long count(UUID after, UUID last) throws SQLException {
        try (PreparedStatement statement = prepare("select count(*) " + LIMITS, after, last);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private List<UUID> threads(UUID after, @Nullable UUID last) throws SQLException {
        List<UUID> threads = new ArrayList<>();
        try (PreparedStatement statement = prepare("select thread_id " + LIMITS, after, last);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                threads.add(row.getObject(1, UUID.class));
            }
        }
        return threads;
    }

    private PreparedStatement prepare(String sql, UUID after, @Nullable UUID last) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setObject(1, after);
        statement.setObject(2, last, Types.OTHER);
        statement.setObject(3, last, Types.OTHER);
        return statement;
    }

    private Set<UUID> threadsOf(Piece piece) throws IOException {
        Set<UUID> threads = new HashSet<>();
        for (ArchivedFile file : piece.files()) {
            if (file.rows().containsKey("threads")) {
                try (RowReader rows = RowReader.open(folder, file)) {
                    for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                        if (rows.header().table().equals("threads")) {
                            int column = rows.header().columns().indexOf("thread_id");
                            threads.add(UUID.fromString(
                                    Objects.requireNonNull(row.get().get(column))));
                        }
                    }
                }
            }
        }
        return threads;
    }
}
