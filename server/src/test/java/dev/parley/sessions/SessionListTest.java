package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Sessions are listed under their clients' names, and are the threads that other faces show. */
class SessionListTest {
    private static final String SESSIONS = "/api/v1/sessions";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final Api ada = server.api(UUID.randomUUID(), "Ada");

    private static String path(String session) {
        return SESSIONS + "/"
                + URLEncoder.encode(session, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void make(String session) {
        assertThat(ada.send("PUT", path(session) + "/document", "{\"document\": {}, \"version\": 0}")
                        .status())
                .isEqualTo(200);
    }

    private static List<String> names(JsonNode page) {
        return page.path("sessions")
                .valueStream()
                .map(each -> each.path("session_id").asString())
                .toList();
    }

    @Test
    void sessionsAreListedByTheirNames() {
        String uuid = UUID.randomUUID().toString();
        List<String> sessions = List.of("первый", "会话/2 ?#%", "👩‍👩‍👧", uuid);
        sessions.forEach(this::make);

        JsonNode page = ada.get(SESSIONS).json();

        assertThat(names(page)).containsExactlyInAnyOrderElementsOf(sessions);
        assertThat(page.path("next_cursor").isNull()).isTrue();
        for (String session : sessions) {
            assertThat(ada.get(path(session)).text("session_id")).isEqualTo(session);
        }
        assertThat(ada.get(path(uuid)).text("thread_id")).isEqualTo(uuid);
    }

    @Test
    void pagesLeadThroughAllOfThem() {
        List<String> all = List.of("a", "b", "c", "d", "e");
        all.forEach(this::make);
        List<String> found = new ArrayList<>();
        String cursor = "";
        int pages = 0;
        do {
            JsonNode page = ada.get(SESSIONS + "?limit=2" + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .json();
            found.addAll(names(page));
            cursor = page.path("next_cursor").asStringOpt().orElse("");
            pages++;
        } while (!cursor.isEmpty());

        assertThat(found).containsExactlyInAnyOrderElementsOf(all);
        assertThat(pages).isEqualTo(3);
        assertThat(ada.get(SESSIONS + "?cursor=x").problem()).hasValue("invalid-cursor");
        assertThat(ada.get(SESSIONS + "?limit=0").problem()).hasValue("invalid-fields");
        assertThat(ada.get(SESSIONS + "?archived=perhaps").problem()).hasValue("invalid-fields");
    }

    @Test
    void sessionIsTheThreadThatTheChatFaceShows() {
        make("talk");
        String thread = ada.get(path("talk")).text("thread_id");
        ada.post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"Bonjour 👋\"}");

        Api.Reply session = ada.get(path("talk"));

        assertThat(session.json().path("last_seq").asLong()).isEqualTo(1);
        assertThat(session.text("last_message_preview")).isEqualTo("Bonjour 👋");
        assertThat(session.json().path("participants").asInt()).isEqualTo(1);
        assertThat(session.json().path("is_archived").asBoolean()).isFalse();
        assertThat(ada.get(path(thread)).text("session_id")).isEqualTo(thread);
        assertThat(names(ada.get(SESSIONS).json())).containsExactly("talk");
        ada.patch("/api/v1/chat/threads/" + thread + "/archive", "{}");
        assertThat(names(ada.get(SESSIONS).json())).isEmpty();
        assertThat(names(ada.get(SESSIONS + "?archived=true").json())).containsExactly("talk");
    }

    @Test
    void sessionIsRenamed() {
        make("talk");
        String longest = "é".repeat(200);

        assertThat(ada.patch(path("talk"), "{\"session_name\": \"جلسة\"}").text("session_name"))
                .isEqualTo("جلسة");
        assertThat(names(ada.get(SESSIONS + "?q=%D8%AC%D9%84%D8%B3%D8%A9").json()))
                .containsExactly("talk");
        assertThat(names(ada.get(SESSIONS + "?q=other").json())).isEmpty();
        assertThat(ada.patch(path("talk"), "{\"session_name\": \"" + longest + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(ada.patch(path("talk"), "{\"session_name\": \"" + longest + "é\"}")
                        .problem())
                .hasValue("invalid-fields");
        assertThat(ada.patch(path("talk"), "{}").problem()).hasValue("invalid-fields");
        assertThat(ada.patch(path("talk"), "{\"session_name\": \"a\\u0000\"}").problem())
                .hasValue("invalid-fields");
        assertThat(ada.patch(path("unknown"), "{\"session_name\": \"a\"}").problem())
                .hasValue("thread-not-found");
    }

    @Test
    void namesAreLimitedInLength() {
        make("n".repeat(128));
        make("👋".repeat(128));

        assertThat(ada.get(path("n".repeat(129))).problem()).hasValue("invalid-fields");
        assertThat(ada.send("PUT", path("n".repeat(129)) + "/document", "{\"document\": {}, \"version\": 0}")
                        .problem())
                .hasValue("invalid-fields");
        assertThat(ada.get(SESSIONS + "/%00").status()).isEqualTo(400);
    }

    @Test
    void deletedSessionIsGone() {
        make("gone");
        make("stays");

        assertThat(ada.delete(path("gone")).status()).isEqualTo(204);

        assertThat(names(ada.get(SESSIONS).json())).containsExactly("stays");
        assertThat(ada.get(path("gone")).problem()).hasValue("thread-not-found");
        assertThat(ada.delete(path("gone")).problem()).hasValue("thread-not-found");
        assertThat(ada.get(path("gone") + "/metrics").problem()).hasValue("thread-not-found");
        assertThat(ada.get(path("gone") + "/runs").problem()).hasValue("thread-not-found");
    }

    @Test
    void renameAndDeleteNeedTheRightToManage() {
        make("shared");
        UUID maxId = UUID.randomUUID();
        Api max = server.api(maxId, "Max");
        String thread = ada.get(path("shared")).text("thread_id");
        ada.post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\": [\"user:" + maxId + "\"]}");

        assertThat(max.get(path(thread)).status()).isEqualTo(200);
        assertThat(max.patch(path(thread), "{\"session_name\": \"mine\"}").problem())
                .hasValue("forbidden");
        assertThat(max.delete(path(thread)).problem()).hasValue("forbidden");
        assertThat(max.send("PUT", path(thread) + "/document", "{\"document\": {}, \"version\": 1}")
                        .status())
                .isEqualTo(200);
    }
}
