package dev.parley.bench.archive;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogSettings;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.testkit.DatabaseAddress;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Fills a database through the log itself, with many messages in one command. Therefore every digest, key and event is
 * real. The texts are in several scripts, and one message in ten has metadata.
 */
final class Conversations {
    private static final int AT_ONCE = 500;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final LogSettings SETTINGS =
            new LogSettings(1, 100, 200_000_000, 512, 50_000_000, Duration.ofMinutes(2));
    private static final List<String> TEXTS = List.of(
            "Can somebody look at the nightly build? It fails since yesterday, in the same test each time.",
            "我看了一下，是时区的问题：测试假设了本地时间。",
            "نعم، لقد رأيت الشيء نفسه في البيئة الأخرى.",
            "Fixed 👩‍🔧, a line\nwas missing: \"if (x < y) { return; }\"\t— see the log.");

    private final Actor ada = Actor.user(UUID.randomUUID());
    private final Actor max = Actor.user(UUID.randomUUID());
    private final dev.parley.storage.DatabaseAddress address;

    Conversations(DatabaseAddress address) {
        this.address = new dev.parley.storage.DatabaseAddress(address.jdbcUrl(), address.user(), address.password());
    }

    void fill(ArchiveBench.Plan plan) {
        int longest = plan.messages() / 4;
        try (Database database = Database.open(address, 2);
                Log log = new Log(
                        database,
                        LogFeatures.NONE,
                        SETTINGS,
                        Clock.systemUTC(),
                        events -> {},
                        new SimpleMeterRegistry())) {
            talk(database, log, longest);
            for (int done = longest; done < plan.messages(); done += plan.perThread()) {
                talk(database, log, Math.min(plan.perThread(), plan.messages() - done));
            }
        }
    }

    private void talk(Database database, Log log, int messages) {
        ThreadId thread = ThreadId.fresh();
        make(database, thread);
        for (int from = 0; from < messages; from += AT_ONCE) {
            List<Change> changes = new ArrayList<>();
            for (int n = from; n < Math.min(messages, from + AT_ONCE); n++) {
                changes.add(new Change.Append(draft(n)));
            }
            log.carry(new Command(UuidV7.next(), thread, ada, changes), TIMEOUT);
        }
    }

    private void make(Database database, ThreadId thread) {
        database.transact(handle -> {
            handle.execute(
                    "insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)"
                            + " values (?, 'private', 'A thread', 'open', ?, now())",
                    thread.value(),
                    ada.value());
            handle.execute(
                    "insert into thread_heads (thread_id, last_created_at, head_hash) values (?, now(), ?)",
                    thread.value(),
                    Digest.ZERO.bytes());
            return handle.execute(
                    "insert into participants (thread_id, actor, display_name, capabilities, joined_at)"
                            + " values (?, ?, 'Ada', 15, now()), (?, ?, 'Max', 7, now())",
                    thread.value(),
                    ada.value(),
                    thread.value(),
                    max.value());
        });
    }

    private Draft draft(int n) {
        Actor author = n % 2 == 0 ? ada : max;
        String text = TEXTS.get(n % TEXTS.size()) + " (" + n + ")";
        String key = "message-" + n;
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                author,
                Role.USER,
                text,
                n % 10 == 0 ? "{\"n\": " + n + ", \"cost\": 0.10, \"large\": 1e400}" : null,
                List.of(),
                null,
                key,
                null,
                null);
        return Draft.of(content, EntryKey.chat(author, key), Fingerprint.of(text, List.of(), null, null));
    }
}
