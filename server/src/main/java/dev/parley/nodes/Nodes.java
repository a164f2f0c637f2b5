package dev.parley.nodes;

import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node, as one of the nodes that share the database. A node is alive while its lease lasts, by the database's
 * clock. The node renews the lease every few seconds with one small update, which also reports its load.
 */
public final class Nodes {
    /** The duration of a lease. A node that sends no heartbeat for this time has lost its lease. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    /** The time that a leaving node waits for a heartbeat in progress. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

    private final UUID id = UuidV7.next();
    /**
     * Held while this node's row is written. Otherwise a late heartbeat could restore the row of a node that has left.
     */
    private final ReentrantLock writing = new ReentrantLock();

    private final Database database;
    private final String version;
    private final Common common;
    private volatile Supplier<NodeFigures> figures = () -> NodeFigures.NONE;
    private volatile @Nullable NodeAddress nodeAddress;
    private volatile boolean stopping;
    private volatile boolean removed;

    /** The address of a node, and its name. */
    private record NodeAddress(String name, String address) {}

    public Nodes(Database database, String version, Common common) {
        this.database = database;
        this.version = version;
        this.common = common;
    }

    public UUID id() {
        return id;
    }

    /** Sets the source of the load that the heartbeat reports. */
    public void tell(Supplier<NodeFigures> now) {
        this.figures = now;
    }

    /** Publishes the address to the other nodes. */
    public void listensOn(String address, String name) {
        this.nodeAddress = new NodeAddress(name, address);
        beat();
    }

    /** Marks the node as stopping: it finishes its work, and callers should send new work to other nodes. */
    public void stops() {
        stopping = true;
        // This runs in a thread of its own, because a database that hangs must not delay the stop.
        Thread.ofVirtual().name("parley-node-stops").start(() -> {
            try {
                beat();
            } catch (RuntimeException unavailable) {
                LOG.debug("Could not publish that this node stops; it stops anyway: {}", unavailable.toString());
            }
        });
    }

    public boolean isStopping() {
        return stopping;
    }

    /**
     * Renews the lease. Returns false if the node has left. Also returns false if the lease had expired, because the
     * node may then have lost its runs.
     */
    public boolean beat() {
        writing.lock();
        try {
            return !removed && write();
        } finally {
            writing.unlock();
        }
    }

    private boolean write() {
        NodeFigures now = figuresNow();
        NodeAddress current = nodeAddress;
        return database.once(handle -> handle.createQuery("""
            insert into nodes (node_id, started_at, alive_until, name, address, version, jwt_keys,
                signing_keys, storage, stopping, runs_executing, open_streams, lane_queue, bus_lag_ms)
            values (:node, now(), now() + :lease * interval '1 millisecond', :name, :address, :version,
                :jwt, :signing, :storage, :stopping, :runs, :streams, :queue, :lag)
            on conflict (node_id) do update set alive_until = excluded.alive_until, name = excluded.name,
                address = excluded.address, stopping = excluded.stopping,
                runs_executing = excluded.runs_executing, open_streams = excluded.open_streams,
                lane_queue = excluded.lane_queue, bus_lag_ms = excluded.bus_lag_ms
            returning (select n.alive_until is null or n.alive_until > now() from (select 1) as one
                left join nodes n on n.node_id = :node)\
            """)
                .bind("node", id)
                .bind("lease", LEASE.toMillis())
                .bind("name", current == null ? null : current.name())
                .bind("address", current == null ? null : current.address())
                .bind("version", version)
                .bind("jwt", common.jwtKeys())
                .bind("signing", common.signingKeys())
                .bind("storage", common.storage())
                .bind("stopping", stopping)
                .bind("runs", now.runsExecuting())
                .bind("streams", now.openStreams())
                .bind("queue", now.laneQueue())
                .bind("lag", now.busLag().map(Duration::toMillis).orElse(null))
                .mapTo(Boolean.class)
                .one());
    }

    /** Reports no load if the load cannot be read, because the node must not appear dead. */
    private NodeFigures figuresNow() {
        try {
            return figures.get();
        } catch (RuntimeException uncounted) {
            LOG.debug("Could not read the load of this node; reporting none: {}", uncounted.toString());
            return NodeFigures.NONE;
        }
    }

    /**
     * Removes this node for good, and nodes that have been dead for a day. Waits only a moment for a heartbeat that
     * hangs. If the heartbeat still hangs then, nothing is removed, and the lease expires by itself.
     */
    public void leave() {
        removed = true;
        try {
            if (!writing.tryLock(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Could not remove this node, the database does not answer; its lease expires by itself");
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            database.transact(handle -> handle.createUpdate(
                            "delete from nodes where node_id = :node or alive_until < now() - interval '1 day'")
                    .bind("node", id)
                    .execute());
        } finally {
            writing.unlock();
        }
    }

    /** All nodes that were alive within a day, living nodes first, and then by name. */
    public List<ListedNode> list() {
        return database.read(handle ->
                handle.createQuery("""
                    select *, now() as asked_at from nodes where alive_until > now() - interval '1 day'
                    order by alive_until < now(), name, node_id limit 1000\
                    """).map((row, context) -> read(row)).list());
    }

    private ListedNode read(ResultSet row) throws SQLException {
        OffsetDateTime askedAt = row.getObject("asked_at", OffsetDateTime.class);
        OffsetDateTime aliveUntil = row.getObject("alive_until", OffsetDateTime.class);
        UUID node = row.getObject("node_id", UUID.class);
        return new ListedNode(
                node,
                row.getString("name"),
                row.getString("address"),
                row.getString("version"),
                state(aliveUntil.isBefore(askedAt), row.getBoolean("stopping")),
                row.getObject("started_at", OffsetDateTime.class).toInstant(),
                Duration.between(aliveUntil.minus(LEASE), askedAt),
                node.equals(id),
                row.getObject("runs_executing", Integer.class),
                row.getObject("open_streams", Integer.class),
                row.getObject("lane_queue", Integer.class),
                Optional.ofNullable(row.getObject("bus_lag_ms", Long.class)).map(Duration::ofMillis),
                common.differencesFrom(
                        row.getString("jwt_keys"), row.getString("signing_keys"), row.getString("storage")));
    }

    private static ListedNode.State state(boolean silent, boolean stopping) {
        if (silent) {
            return ListedNode.State.SILENT;
        }
        return stopping ? ListedNode.State.STOPPING : ListedNode.State.ALIVE;
    }
}
