package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Images that are changed while they are attached: one of the two happens, and no other request is affected. */
class AttachmentRaceTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private AgentCaller ada;
    private String folder;

    @BeforeEach
    void registerCaller() {
        ada = AgentCaller.somebody(server);
        folder = "agent-inputs/"
                + ada.api().get("/api/v1/auth/me").text("sender_id").substring("user:".length()) + "/";
    }

    private Api.Reply put(String name, String type, byte[] bytes, String... headers) {
        return ada.api().send("POST", "/storage/v1/object/agent-files/" + folder + name, type, bytes, headers);
    }

    private String signed(String name) {
        Api.Reply url = ada.api().post("/storage/v1/object/sign/agent-files/" + folder + name, "{\"expiresIn\":600}");
        return server.uri() + "/storage/v1" + url.text("signedURL");
    }

    private Api.Reply run(List<String> urls) {
        List<Map<String, String>> parts = urls.stream()
                .map(url -> Map.of("type", "binary", "mimeType", "image/png", "url", url))
                .toList();
        return ada.start(Map.of(
                "threadId",
                UUID.randomUUID().toString(),
                "runId",
                "r",
                "messages",
                List.of(Map.of("id", "m", "role", "user", "content", parts))));
    }

    private static List<Api.Reply> together(List<Callable<Api.Reply>> calls) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> futures =
                    calls.stream().map(threads::submit).toList();
            List<Api.Reply> replies = new ArrayList<>();
            for (Future<Api.Reply> each : futures) {
                replies.add(each.get(60, TimeUnit.SECONDS));
            }
            return replies;
        }
    }

    @Test
    void messageWhoseImageIsBeingChangedIsRefusedAndNoOtherRequestWaits() throws Exception {
        assertThat(put("a.png", "image/png", SampleImages.png(2, 2)).status()).isEqualTo(200);
        String url = signed("a.png");
        String other = ada.api().post("/api/v1/chat/threads", "{}").text("thread_id");
        try (Connection connection = DriverManager.getConnection(
                server.database().jdbcUrl(),
                server.database().user(),
                server.database().password())) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("select 1 from objects where path = '" + folder + "a.png' for update");
            Api.Reply refused = run(List.of(url));
            assertThat(refused.problem()).contains("overloaded");
            assertThat(ada.api()
                            .post("/api/v1/chat/threads/" + other + "/messages", "{\"content\":\"hello\"}")
                            .status())
                    .isEqualTo(201);
            connection
                    .createStatement()
                    .execute("update objects set path = path || '.moved' where path = '" + folder + "a.png'");
            connection.commit();
        }
        assertThat(run(List.of(url)).problem()).contains("run-input-refused");
        assertThat(server.count("select count(*) from objects where attached and path like '%.moved'"))
                .isZero();
    }

    /** An image that a deleted thread releases may be shown in another thread at the same moment. */
    @Test
    void imageReleasedByOneThreadWhileAnotherShowsItStaysAttached() throws Exception {
        put("b.png", "image/png", SampleImages.png(2, 5));
        String url = signed("b.png");
        assertThat(run(List.of(url)).status()).isEqualTo(202);
        String where = " where path = '" + folder + "b.png'";
        try (Connection connection = DriverManager.getConnection(
                        server.database().jdbcUrl(),
                        server.database().user(),
                        server.database().password());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("update objects set attached = false" + where);
            Future<Api.Reply> shown = threads.submit(() -> run(List.of(url)));
            await().until(() -> shown.isDone()
                    || server.count("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                    + " and datname = current_database()")
                            > 0);
            connection.commit();
            assertThat(shown.get(20, TimeUnit.SECONDS).status()).isEqualTo(202);
        }
        assertThat(server.count("select count(*) from objects" + where + " and attached"))
                .isOne();
    }

    @Test
    void attachedImageIsTheCheckedOne() throws Exception {
        byte[] text = "<html>no image".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 25; i++) {
            String name = "replaced-" + i + ".png";
            String moved = "moved-" + i + ".png";
            put(name, "image/png", SampleImages.png(3, 3));
            put(moved, "image/png", SampleImages.png(3, 3));
            List<String> urls = List.of(signed(name), signed(moved));
            together(List.of(
                    () -> run(urls),
                    () -> put(name, "text/html", text, "x-upsert: true"),
                    () -> ada.api()
                            .post(
                                    "/storage/v1/object/move",
                                    Json.MAPPER.writeValueAsString(Map.of(
                                            "bucketId", "agent-files",
                                            "sourceKey", folder + moved,
                                            "destinationKey", folder + "elsewhere/" + moved)))));
        }
        assertThat(server.count("select count(*) from objects where attached and width is null"))
                .isZero();
        assertThat(server.count("select count(*) from objects where attached and path like '%elsewhere%'"))
                .isZero();
        assertThat(server.count("""
                select count(*) from entries e, json_array_elements(e.metadata -> 'attachments') as file
                where not exists (select 1 from objects o where o.attached and o.path = file ->> 'path')""")).isZero();
    }

    @Test
    void removingManyBesideRunsThatShowThemEndsInNoDeadlock() throws Exception {
        for (int round = 0; round < 6; round++) {
            List<String> names = new ArrayList<>();
            for (char each = 'z'; each > 'l'; each--) {
                // Ids ascend while paths descend.
                names.add("round-" + round + "-" + each + ".png");
                put(names.getLast(), "image/png", SampleImages.png(4, 4));
            }
            List<String> urls = names.stream().map(this::signed).toList();
            String prefixes = Json.MAPPER.writeValueAsString(
                    Map.of("prefixes", names.stream().map(name -> folder + name).toList()));
            List<Callable<Api.Reply>> calls = new ArrayList<>(Collections.nCopies(3, () -> run(urls)));
            calls.addAll(
                    Collections.nCopies(2, () -> ada.api().send("DELETE", "/storage/v1/object/agent-files", prefixes)));
            for (Api.Reply reply : together(calls)) {
                assertThat(reply.problem().orElse(""))
                        .as(reply.toString())
                        .isIn("", "overloaded", "object-attached", "run-input-refused");
            }
        }
        assertThat(server.count("select deadlocks from pg_stat_database where datname = current_database()"))
                .isZero();
    }

    @Test
    void ofTwoUpsertsOfAnOwnersFirstObjectBothSucceed() throws Exception {
        for (int i = 0; i < 10; i++) {
            registerCaller();
            for (Api.Reply reply :
                    together(Collections.nCopies(2, () -> put("first", "text/plain", new byte[1], "x-upsert: true")))) {
                assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            }
            assertThat(server.count("select count(*) from objects where path = '" + folder + "first'"))
                    .isOne();
        }
    }

    @Test
    void refusedUploadLeavesNoBytes() {
        put("taken", "text/plain", new byte[] {1});
        long before = server.count("select count(*) from blobs");
        assertThat(put("taken", "text/plain", new byte[] {2, 2}).problem()).contains("object-exists");
        assertThat(ada.api()
                        .send("PUT", "/storage/v1/object/agent-files/" + folder + "missing", "text/plain", new byte[3])
                        .problem())
                .contains("object-not-found");
        assertThat(server.count("select count(*) from blobs")).isEqualTo(before);
    }

    @Test
    void anAttachmentThatItsOwnerMovedOrReplacedIsKept() {
        Form form = Form.file("a.png", "image/png", SampleImages.png(5, 5));
        String moved = form.uploadBy(ada.api()).text("path");
        String replaced = form.uploadBy(ada.api()).text("path");
        assertThat(ada.api()
                        .post(
                                "/storage/v1/object/move",
                                Json.MAPPER.writeValueAsString(Map.of(
                                        "bucketId",
                                        "agent-files",
                                        "sourceKey",
                                        moved,
                                        "destinationKey",
                                        folder + "album.png")))
                        .status())
                .isEqualTo(200);
        assertThat(ada.api()
                        .send("PUT", "/storage/v1/object/agent-files/" + replaced, "text/plain", new byte[4])
                        .status())
                .isEqualTo(200);
        server.execute("update objects set created_at = created_at - interval '30 days'");
        server.server().sweepObjects();
        assertThat(server.count(
                        "select count(*) from objects where path in ('" + folder + "album.png', '" + replaced + "')"))
                .isEqualTo(2);
    }

    @Test
    void uploadBeyondTheQuotaLeavesNoBytes() {
        try (RunningServer small = RunningServer.start("--limit-owned-objects", "1")) {
            Api bea = small.api(UUID.randomUUID(), "Bea");
            Form form = Form.file("a.png", "image/png", SampleImages.png(6, 6));
            assertThat(form.uploadBy(bea).status()).isEqualTo(201);
            assertThat(Form.file("b.png", "image/png", SampleImages.png(7, 7))
                            .uploadBy(bea)
                            .problem())
                    .contains("quota-exceeded");
            assertThat(small.count("select count(*) from blobs")).isOne();
        }
    }
}
