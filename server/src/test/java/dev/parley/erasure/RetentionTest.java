package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.erasure.ErasingServer.Person;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Expired messages are erased without a request; younger ones stay. */
class RetentionTest {
    @AutoClose
    private static final ErasingServer server = ErasingServer.start("--retention-days", "30");

    /** Moves all messages of a thread some days back. */
    private static void age(String thread, int days) {
        String back = " - interval '%d days' where thread_id = '%s'".formatted(days, thread);
        server.running()
                .execute(
                        "update entries set created_at = created_at" + back,
                        "update events set created_at = created_at" + back,
                        "update run_contexts set created_at = created_at" + back,
                        "update runs set created_at = created_at - interval '%1$d days', ended_at = ended_at - interval '%1$d days' where thread_id = '%2$s'"
                                .formatted(days, thread));
    }

    private static List<String> contents(Person reader, String thread) {
        return ErasingServer.messages(reader, thread).stream()
                .map(message -> message.path("content").asString())
                .toList();
    }

    private static JsonNode set(String thread, String days) {
        return must(server.operator()
                .send("PUT", "/api/v1/operator/threads/" + thread + "/retention", "{\"retention_days\":" + days + "}"));
    }

    @Test
    void oldMessagesBecomeTombstones() {
        Person ada = server.person("Ada");
        String thread = ErasingServer.thread(ada, ErasingServer.DEMO);
        server.run(ada, thread, "old", "an old question 旧");
        age(thread, 31);
        server.run(ada, thread, "new", "a new question 新");

        assertThat(server.running().server().sweepRetention()).isTrue();

        List<String> left = contents(ada, thread);
        assertThat(left).hasSize(4);
        assertThat(left.subList(0, 2)).containsOnly("");
        assertThat(left.get(2)).isEqualTo("a new question 新");
        assertThat(left.get(3)).isNotEmpty();
        assertThat(server.holding("旧")).isEmpty();
        assertThat(must(server.operator().get("/api/v1/operator/audit"))
                        .path("acts")
                        .valueStream())
                .filteredOn(act -> act.path("action").asString().equals("retention.erased"))
                .extracting(act -> act.path("subject").asString())
                .startsWith("2 entries of 1 threads");
        assertThat(server.running()
                        .select("select run_id from runs where erased_at is not null and thread_id = '" + thread + "'"))
                .containsExactly("old");
        server.checkChain(thread);

        age(thread, 31);
        assertThat(server.running().server().sweepRetention()).isTrue();

        assertThat(contents(ada, thread)).containsOnly("");
        assertThat(server.holding("新")).isEmpty();
    }

    @Test
    void laterAnnouncementsAreErasedLater() {
        Person ada = server.person("Ada");
        String thread = ErasingServer.thread(ada);
        ErasingServer.post(ada, thread, "first");
        age(thread, 20);
        must(ada.api().patch("/api/v1/chat/threads/" + thread, json(Map.of("title", "题目"))));
        ErasingServer.post(ada, thread, "second");
        age(thread, 11);
        String announced = "select count(*) from events where payload like '%题目%' and thread_id = '" + thread + "'";

        assertThat(server.running().server().sweepRetention()).isTrue();

        assertThat(contents(ada, thread)).containsExactly("", "second");
        assertThat(server.running().count(announced)).isEqualTo(1);

        age(thread, 20);
        assertThat(server.running().server().sweepRetention()).isTrue();

        assertThat(contents(ada, thread)).containsExactly("", "");
        assertThat(server.running().count(announced)).isZero();
    }

    @Test
    void threadMayHaveDaysOfItsOwn() {
        Person ada = server.person("Ada");
        String longer = ErasingServer.thread(ada);
        String shorter = ErasingServer.thread(ada);
        String usual = ErasingServer.thread(ada);
        for (String thread : List.of(longer, shorter, usual)) {
            ErasingServer.post(ada, thread, "words");
            age(thread, 10);
        }
        assertThat(set(longer, "365").path("effective_days").asInt()).isEqualTo(365);
        set(shorter, "7");

        assertThat(server.running().server().sweepRetention()).isTrue();

        assertThat(contents(ada, longer)).containsExactly("words");
        assertThat(contents(ada, shorter)).containsExactly("");
        assertThat(contents(ada, usual)).containsExactly("words");
        JsonNode again = set(shorter, "null");
        assertThat(again.path("retention_days").isNull()).isTrue();
        assertThat(again.path("effective_days").asInt()).isEqualTo(30);
        assertThat(must(server.operator().get("/api/v1/operator/threads/" + longer + "/retention"))
                        .path("retention_days")
                        .asInt())
                .isEqualTo(365);
        assertThat(server.operator()
                        .send(
                                "PUT",
                                "/api/v1/operator/threads/" + longer + "/retention",
                                json(Map.of("retention_days", 0)))
                        .problem())
                .hasValue("invalid-fields");
        assertThat(server.operator()
                        .send("PUT", "/api/v1/operator/threads/" + longer + "/retention", "{\"retentionDays\": 3650}")
                        .problem())
                .as("a misspelt name is not null")
                .hasValue("invalid-fields");
        assertThat(ada.api()
                        .get("/api/v1/operator/threads/" + longer + "/retention")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void contextsAreErasedAfterTheirOwnDays() {
        Person ada = server.person("Ada");
        String thread = ErasingServer.thread(ada, ErasingServer.DEMO);
        set(thread, "365");
        server.run(ada, thread, "first", "unlike anything");
        age(thread, 31);
        server.run(ada, thread, "second", "something else");
        String path = "/api/v1/agent/threads/" + thread + "/runs/";

        assertThat(server.running().server().sweepRetention()).isTrue();

        JsonNode gone = must(ada.api().get(path + "first/context"));
        assertThat(gone.path("requests").asInt()).isZero();
        assertThat(gone.path("messages")).isEmpty();
        assertThat(must(ada.api().get(path + "second/context")).toString())
                .contains("unlike anything", "something else");
        assertThat(contents(ada, thread)).contains("unlike anything");
    }
}
