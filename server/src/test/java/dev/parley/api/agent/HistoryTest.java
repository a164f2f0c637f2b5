package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.HistoryDay;
import dev.parley.protocol.agent.HistoryMessage;
import dev.parley.sdk.HistoryQuery;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The days of a history and their pages. */
class HistoryTest {
    private static final String PATH = "/api/v1/agent/history";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    @Test
    void theLatestDayWithMessagesAndFromThereBack() {
        FilledThread thread = FilledThread.somebodys(server)
                .user("2026-03-10T00:00:00Z", "first")
                .user("2026-03-10T23:59:59.999999Z", "second")
                .user("2026-03-11T00:00:00Z", "third")
                .user("2026-03-15T12:00:00Z", "fourth");
        assertThat(thread.day("")).isEqualTo("2026-03-15 4 more");
        assertThat(thread.day("&before=2026-03-16")).isEqualTo("2026-03-15 4 more");
        assertThat(thread.day("&before=2026-03-15")).isEqualTo("2026-03-11 3 more");
        assertThat(thread.day("&before=2026-03-12")).isEqualTo("2026-03-11 3 more");
        assertThat(thread.day("&before=2026-03-11")).isEqualTo("2026-03-10 1,2");
        assertThat(thread.day("&before=2026-03-10")).isEqualTo("none ");
        assertThat(thread.day("&before=0000-01-01")).isEqualTo("none ");
        assertThat(thread.day("&before=9999-12-31&tz=Etc/GMT%2B12")).isEqualTo("2026-03-15 4 more");
        assertThat(thread.history("").path("scope").asString()).isEqualTo("history_day");
        assertThat(thread.history("").path("threadId").asString()).isEqualTo(thread.id());
    }

    @Test
    void daysBeginWhereTheReaderIs() {
        FilledThread thread = FilledThread.somebodys(server)
                .user("2026-03-14T15:59:59Z", "still the 14th in Shanghai")
                .user("2026-03-14T16:00:00Z", "the 15th in Shanghai")
                .user("2026-03-15T15:59:59Z", "still")
                .user("2026-03-15T16:00:00Z", "the 16th in Shanghai");
        assertThat(thread.day("")).isEqualTo("2026-03-15 3,4 more");
        assertThat(thread.day("&tz=Asia/Shanghai")).isEqualTo("2026-03-16 4 more");
        assertThat(thread.day("&tz=Asia/Shanghai&before=2026-03-16")).isEqualTo("2026-03-15 2,3 more");
        assertThat(thread.day("&tz=Asia/Shanghai&before=2026-03-15")).isEqualTo("2026-03-14 1");
    }

    @Test
    void daysAreShorterAndLongerWhenClocksChange() {
        FilledThread spring = FilledThread.somebodys(server)
                .user("2026-03-28T22:59:59Z", "the day before")
                .user("2026-03-28T23:00:00Z", "midnight")
                .user("2026-03-29T21:59:59Z", "23 hours later")
                .user("2026-03-29T22:00:00Z", "the day after");
        assertThat(spring.day("&tz=Europe/Berlin&before=2026-03-30")).isEqualTo("2026-03-29 2,3 more");
        assertThat(spring.day("&tz=Europe/Berlin")).isEqualTo("2026-03-30 4 more");
        FilledThread autumn = FilledThread.somebodys(server)
                .user("2026-10-24T21:59:59Z", "the day before")
                .user("2026-10-24T22:00:00Z", "midnight")
                .user("2026-10-25T22:59:59Z", "25 hours later")
                .user("2026-10-25T23:00:00Z", "the day after");
        assertThat(autumn.day("&tz=Europe/Berlin&before=2026-10-26")).isEqualTo("2026-10-25 2,3 more");
        assertThat(autumn.day("&tz=Europe/Berlin")).isEqualTo("2026-10-26 4 more");
    }

    @Test
    void aDayThatAZoneSkippedIsNotThere() {
        FilledThread thread = FilledThread.somebodys(server)
                .user("2011-12-30T09:59:59Z", "the 29th, in the old time")
                .user("2011-12-30T10:00:00Z", "the 31st, in the new one");
        assertThat(thread.day("&tz=Pacific/Apia")).isEqualTo("2011-12-31 2 more");
        assertThat(thread.day("&tz=Pacific/Apia&before=2011-12-31")).isEqualTo("2011-12-29 1");
        assertThat(thread.day("&tz=Pacific/Apia&before=2011-12-30")).isEqualTo("2011-12-29 1");
        assertThat(thread.day("&tz=Pacific/Apia&before=2011-12-29")).isEqualTo("none ");
    }

    @Test
    void aLongDayComesInPagesInOrderAndNothingTwice() {
        FilledThread thread = FilledThread.somebodys(server)
                .user("2026-03-09T00:00:00Z", "the day before")
                .users(2_500, "2026-03-10T01:00:00Z");
        List<Integer> sizes = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        String query = "";
        JsonNode page = thread.history(query);
        while (page.path("day").asString().equals("2026-03-10")) {
            List<Long> found = new ArrayList<>();
            page.path("messages").forEach(each -> found.add(each.path("seq").asLong()));
            sizes.add(found.size());
            seqs.addAll(0, found);
            assertThat(page.path("hasMore").asBoolean()).isTrue();
            query = "&beforeSeq=" + found.getFirst();
            page = thread.history(query);
        }
        assertThat(sizes).containsExactly(1_000, 1_000, 500);
        assertThat(seqs)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, 2_501).boxed().toList());
        assertThat(FilledThread.inShort(page)).isEqualTo("2026-03-09 1");
        assertThat(thread.day("&beforeSeq=1")).isEqualTo("none ");
        assertThat(thread.day("&beforeSeq=0")).isEqualTo("none ");
        assertThat(thread.day("&beforeSeq=4")).isEqualTo("2026-03-10 2,3 more");
        assertThat(thread.day("&beforeSeq=4&before=2026-03-10")).isEqualTo("2026-03-09 1");
        assertThat(thread.day("&beforeSeq=4&before=2026-03-12")).isEqualTo("2026-03-10 2,3 more");
    }

    @Test
    void aThousandFillAPageAndOneMoreDoesNotFit() {
        FilledThread thread = FilledThread.somebodys(server).users(1_000, "2026-03-10T01:00:00Z");
        assertThat(thread.history("").path("messages")).hasSize(1_000);
        assertThat(thread.history("").path("hasMore").asBoolean()).isFalse();
        thread.users(1, "2026-03-10T02:00:00Z");
        assertThat(thread.history("").path("messages")).hasSize(1_000);
        assertThat(thread.history("").path("hasMore").asBoolean()).isTrue();
        assertThat(thread.day("&beforeSeq=2")).isEqualTo("2026-03-10 1");
    }

    @Test
    void aPageMayBeAskedToBeSmaller() {
        FilledThread thread = FilledThread.somebodys(server)
                .user("2026-03-09T00:00:00Z", "the day before")
                .users(1_001, "2026-03-10T01:00:00Z");
        assertThat(thread.day("&limit=1")).isEqualTo("2026-03-10 1002 more");
        assertThat(thread.day("&limit=3")).isEqualTo("2026-03-10 1000,1001,1002 more");
        assertThat(thread.day("&limit=3&beforeSeq=4"))
                .as("no further than the day goes")
                .isEqualTo("2026-03-10 2,3 more");
        assertThat(thread.history("&limit=999").path("messages")).hasSize(999);
        assertThat(thread.history("&limit=1000").path("messages")).hasSize(1_000);
        assertThat(thread.history("&limit=1001").path("messages")).hasSize(1_000);
        assertThat(thread.history("&limit=99999999999").path("messages")).hasSize(1_000);
    }

    @Test
    void aPageEndsBehindTheMessageWithWhichItReachesEightMegabytes() {
        // The size of a message beside its text.
        int half = 4 * 1024 * 1024 - 512;
        for (int shorter : List.of(0, 1)) {
            FilledThread thread = FilledThread.somebodys(server)
                    .user("2026-03-10T00:00:00Z", "first")
                    .user("2026-03-10T00:00:01Z", "x".repeat(half - shorter))
                    .user("2026-03-10T00:00:02Z", "x".repeat(half));
            assertThat(thread.day("")).isEqualTo(shorter == 0 ? "2026-03-10 2,3 more" : "2026-03-10 1,2,3");
        }
    }

    @Test
    void theWholeOfALongThreadIsReadBackwards() {
        UUID user = UUID.randomUUID();
        FilledThread thread = FilledThread.of(server, server.api(user, "Ada"))
                .users(10_000, "2026-03-10T01:00:00Z")
                .users(10, "2026-04-10T01:00:00Z");
        try (Parley client = Parley.connect(server.uri(), new Token(server.token(user, "Ada")))) {
            List<HistoryDay> days = client.history()
                    .back(HistoryQuery.of(ThreadId.parse(thread.id()).orElseThrow()))
                    .toList();
            assertThat(days).hasSize(11);
            assertThat(days.reversed().stream()
                            .flatMap(day -> day.messages().stream())
                            .map(HistoryMessage::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 10_010).boxed().toList());
        }
    }

    @Test
    void withoutAThreadItIsTheOneWithTheLatestMessage() {
        Api api = server.api(UUID.randomUUID(), "Somebody");
        assertThat(api.get(PATH).json()).isEqualTo(FilledThread.json("""
                        {"scope": "history_day", "threadId": null, "day": null, "hasMore": false, "messages": []}"""));
        String silent = FilledThread.of(server, api).id();
        assertThat(api.get(PATH).json().path("threadId").isNull())
                .as("a thread without messages")
                .isTrue();
        assertThat(api.get(PATH + "?threadId=" + silent).json().path("threadId").asString())
                .isEqualTo(silent);
        String first = FilledThread.of(server, api).id();
        String second = FilledThread.of(server, api).id();
        post(api, first, "one");
        post(api, second, "two");
        assertThat(api.get(PATH).json().path("threadId").asString()).isEqualTo(second);
        post(api, first, "three");
        assertThat(api.get(PATH).json().path("threadId").asString()).isEqualTo(first);
        api.patch("/api/v1/chat/threads/" + first + "/archive", "{}");
        assertThat(api.get(PATH).json().path("threadId").asString())
                .as("archived, but the latest")
                .isEqualTo(first);
        api.delete("/api/v1/chat/threads/" + first);
        assertThat(api.get(PATH).json().path("threadId").asString()).isEqualTo(second);
    }

    @Test
    void manyThreadsThatNothingWasSaidInDoNotHideTheOneThatHasIt() {
        UUID user = UUID.randomUUID();
        Api api = server.api(user, "Somebody");
        String spoken = FilledThread.of(server, api).id();
        post(api, spoken, "here");
        server.execute("""
                with made as (
                    insert into threads (thread_id, thread_type, participation_mode, created_by, created_at)
                    select gen_random_uuid(), 'private', 'open', 'user:%1$s', now() from generate_series(1, 120)
                    returning thread_id),
                member as (
                    insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                    select thread_id, 'user:%1$s', 'Somebody', 15, now() from made)
                insert into listings (thread_id, actor, active_at)
                select thread_id, 'user:%1$s', now() + interval '1 hour' from made""".formatted(user));
        assertThat(api.get(PATH).json().path("threadId").asString()).isEqualTo(spoken);
    }

    private static void post(Api api, String thread, String text) {
        Api.Reply reply =
                api.post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"%s\"}".formatted(text));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
    }

    @Test
    void aThreadOfOthersIsNotFound() {
        FilledThread thread = FilledThread.somebodys(server).user("2026-03-10T00:00:00Z", "secret");
        Api other = server.api(UUID.randomUUID(), "Other");
        for (String id : List.of(thread.id(), UUID.randomUUID().toString())) {
            assertThat(other.get(PATH + "?threadId=" + id).problem()).contains("thread-not-found");
        }
        assertThat(server.api((String) null).get(PATH).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "before, 2026-3-15",
        "before, 2026-02-30",
        "before, +12026-01-01",
        "before, -001-01-01",
        "before, today",
        "before, ''",
        "tz, Mars/Base",
        "tz, %2B08:00",
        "tz, UTC%2B8",
        "tz, ''",
        "beforeSeq, -1",
        "beforeSeq, 1.5",
        "beforeSeq, 1234567890123456789",
        "limit, 0",
        "limit, -1",
        "limit, 1.5",
        "limit, ''",
        "threadId, 1-1-1-1-1",
        "threadId, ''"
    })
    void unreadableParameterIsRefusedByItsName(String name, String value) {
        Api.Reply reply = server.api(UUID.randomUUID(), "Somebody").get(PATH + "?" + name + "=" + value);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.problem()).contains("invalid-fields");
        assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Etc/GMT-14", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"})
    void everyZoneHasItsDays(String zone) {
        FilledThread thread = FilledThread.somebodys(server).user("2026-03-10T12:00:00Z", "x");
        assertThat(thread.day("&tz=" + zone)).matches("2026-03-1[01] 1");
    }
}
