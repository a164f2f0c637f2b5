package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Links between senders on platforms and users. A user asks for a code and sends it on the platform, which proves that
 * both accounts belong to the same person. A link identifies a sender; it grants no rights.
 */
public final class IdentityLinks {
    /** The highest number of links of one user, including pending ones. */
    static final int MAX_LINKS = 50;

    private static final int MAX_TRIES = 5;

    private final Database database;
    private final Clock clock;

    public IdentityLinks(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * A link, complete or pending.
     *
     * @param sender null while any sender of the source may redeem the code
     * @param linkedAt null while the link is pending
     */
    public record Link(
            UUID id,
            String source,
            @Nullable Actor sender,
            Instant createdAt,
            Instant expiresAt,
            @Nullable Instant linkedAt) {}

    /**
     * A pending link.
     *
     * @param code the code that completes the link; null for a repeated request, since only the hash is kept
     */
    public record PendingLink(Link link, @Nullable LinkCode code) {}

    /**
     * Begins a link.
     *
     * @param sender the only sender who may redeem the code; null for any sender of the source
     */
    public PendingLink begin(Principal.User user, String source, @Nullable Actor sender, Optional<RequestKey> request) {
        LinkCode code = LinkCode.fresh();
        Instant now = clock.instant();
        Link link = new Link(UuidV7.next(), source, sender, now, now.plus(LinkCode.LIFE), null);
        return database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, link.id()));
            if (before.isPresent()) {
                return new PendingLink(require(handle, user, before.get(), now), null);
            }
            // Removes the expired links of all users. Two concurrent requests of one user may exceed the limit by one.
            handle.createUpdate("delete from identity_links where linked_at is null and expires_at <= :now")
                    .bind("now", at(now))
                    .execute();
            int has = handle.createQuery("select count(*) from identity_links where user_actor = :user")
                    .bind("user", user.actor().value())
                    .mapTo(Integer.class)
                    .one();
            if (has >= MAX_LINKS) {
                throw ProblemException.invalidField(
                        "source", "cannot be linked: there are " + MAX_LINKS + " links already");
            }
            handle.createUpdate("""
                            insert into identity_links (link_id, user_actor, source, sender, code_hash, created_at,
                                expires_at)
                            values (:id, :user, :source, :sender, :hash, :now, :expires)""")
                    .bind("id", link.id())
                    .bind("user", user.actor().value())
                    .bind("source", source)
                    .bind("sender", sender == null ? null : sender.value())
                    .bind("hash", code.hash())
                    .bind("now", at(now))
                    .bind("expires", at(link.expiresAt()))
                    .execute();
            return new PendingLink(link, code);
        });
    }

    private static Link require(Handle handle, Principal.User user, UUID link, Instant now) {
        return handle.createQuery("""
                        select * from identity_links
                        where link_id = :link and user_actor = :user and (linked_at is not null or expires_at > :now)""")
                .bind("link", link)
                .bind("user", user.actor().value())
                .bind("now", at(now))
                .map((row, context) -> read(row))
                .findOne()
                .orElseThrow(IdentityLinks::notFound);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.LINK_NOT_FOUND, "You have no such link.");
    }

    /** A user's completed links, and the pending links that have not expired. */
    public List<Link> list(Principal.User user) {
        return database.read(handle -> handle.createQuery("""
                        select * from identity_links
                        where user_actor = :user and (linked_at is not null or expires_at > :now and code_hash is not null)
                        order by created_at, link_id limit :most""")
                .bind("user", user.actor().value())
                .bind("now", at(clock.instant()))
                .bind("most", MAX_LINKS)
                .map((row, context) -> read(row))
                .list());
    }

    /** Removes one of the user's own links. */
    public void remove(Principal.User user, UUID link) {
        int deleted = database.transact(
                handle -> handle.createUpdate("delete from identity_links where link_id = :id and user_actor = :user")
                        .bind("id", link)
                        .bind("user", user.actor().value())
                        .execute());
        if (deleted == 0) {
            throw notFound();
        }
    }

    /**
     * Redeems a code that a sender sent. A sender with too many wrong codes is ignored until {@code LinkCode.LIFE}
     * after the first of these codes.
     *
     * @return true if the code completes the link or has completed it before, because a platform may deliver a message
     *     twice
     */
    public boolean redeem(String source, Actor sender, LinkCode code) {
        return database.transact(handle -> {
            OffsetDateTime now = at(clock.instant());
            if (guesses(handle, sender, now) >= MAX_TRIES) {
                return false;
            }
            boolean linked = link(handle, source, sender, code, now);
            if (!linked) {
                countGuess(handle, source, sender, code, now);
            }
            return linked;
        });
    }

    private static boolean link(Handle handle, String source, Actor sender, LinkCode code, OffsetDateTime now) {
        return handle.createUpdate("""
                        update identity_links as l set sender = :sender, linked_at = coalesce(linked_at, :now)
                        where l.code_hash = :hash and l.source = :source and l.expires_at > :now and l.tries < :tries
                            and (l.sender is null or l.sender = :sender)
                            and not exists (
                                select 1 from identity_links other
                                where other.sender = :sender and other.linked_at is not null
                                    and other.link_id <> l.link_id)""")
                        .bind("sender", sender.value())
                        .bind("now", now)
                        .bind("hash", code.hash())
                        .bind("source", source)
                        .bind("tries", MAX_TRIES)
                        .execute()
                == 1;
    }

    private static int guesses(Handle handle, Actor sender, OffsetDateTime now) {
        return handle.createQuery("select guesses from identity_link_guesses where sender = :sender and since > :since")
                .bind("sender", sender.value())
                .bind("since", now.minus(LinkCode.LIFE))
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    private static void countGuess(Handle handle, String source, Actor sender, LinkCode code, OffsetDateTime now) {
        handle.createUpdate("update identity_links set tries = tries + 1 where code_hash = :hash and source = :source"
                        + " and linked_at is null")
                .bind("hash", code.hash())
                .bind("source", source)
                .execute();
        handle.createUpdate("delete from identity_link_guesses where since <= :old")
                .bind("old", now.minus(LinkCode.LIFE))
                .execute();
        handle.createUpdate("""
                        insert into identity_link_guesses as g (sender, guesses, since) values (:sender, 1, :now)
                        on conflict (sender) do update set guesses = g.guesses + 1""").bind("sender", sender.value()).bind("now", now).execute();
    }

    private static Link read(ResultSet row) throws SQLException {
        String sender = row.getString("sender");
        OffsetDateTime linked = row.getObject("linked_at", OffsetDateTime.class);
        return new Link(
                row.getObject("link_id", UUID.class),
                row.getString("source"),
                sender == null ? null : new Actor(sender),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("expires_at", OffsetDateTime.class).toInstant(),
                linked == null ? null : linked.toInstant());
    }

    private static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
