package dev.parley.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The display names of people, and the effect of their tokens on them. */
class NamesTest {
    private static RunningServer server;
    private static Database database;

    private final TestClock clock = TestClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final UUID id = UUID.randomUUID();
    private DisplayNames names;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off");
        database = Database.open(server.database(), 1);
    }

    @AfterAll
    static void stop() {
        database.close();
        server.close();
    }

    @BeforeEach
    void listen() {
        names = new DisplayNames(database, clock, Runnable::run);
    }

    private void call(String name) {
        names.note(new Principal.User(id, name, false, Instant.MAX));
    }

    private String known() {
        return names.nameOf(Actor.user(id));
    }

    @Test
    void tokenWithoutANameKeepsTheStoredName() {
        call("Ada");
        clock.advance(Duration.ofHours(2));
        call("user:" + id);
        assertThat(known()).isEqualTo("Ada");
    }

    @Test
    void tokensThatDisagreeAreStoredOnceAMinute() {
        call("Ada");
        call("Countess");
        clock.advance(Duration.ofSeconds(59));
        call("Countess");
        assertThat(known()).isEqualTo("Ada");
        clock.advance(Duration.ofSeconds(1));
        call("Countess");
        assertThat(known()).isEqualTo("Countess");
    }

    @Test
    void nameThatWasNotStoredIsStoredLater() {
        server.execute("alter table known_names rename to names_elsewhere");
        call("Ada");
        server.execute("alter table names_elsewhere rename to known_names");
        call("Ada");
        assertThat(known()).isEqualTo("Ada");
    }

    /**
     * Participants keep the name they joined under, so that a new name writes one row, however many threads there are.
     */
    @Test
    void threadsShowTheLatestName() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        Actor ada = Actor.user(id);
        String thread = "/chat/threads/"
                + olivia.post("/chat/threads", Map.of("participants", List.of(ada.value())))
                        .as(ThreadView.class)
                        .threadId();
        assertThat(shown(olivia, thread, ada)).isEqualTo(ada.value());
        call("Ada");
        assertThat(shown(olivia, thread, ada)).isEqualTo("Ada");
        assertThat(server.select("select display_name from participants where actor = '" + ada + "'"))
                .containsExactly(ada.value());
    }

    private static String shown(ChatCaller viewer, String thread, Actor member) {
        return viewer.get(thread).as(ThreadView.class).participants().stream()
                .filter(each -> each.senderId().equals(member))
                .map(Participant::displayName)
                .findFirst()
                .orElseThrow();
    }
}
