package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The removal of unused attachments. */
class BlobSweeperTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private static void use(AgentCaller who, String thread, String url) {
        assertThat(who.start(Map.of(
                                "threadId",
                                thread,
                                "runId",
                                "r",
                                "messages",
                                List.of(Map.of(
                                        "id",
                                        "m",
                                        "role",
                                        "user",
                                        "content",
                                        List.of(Map.of("type", "binary", "mimeType", "image/png", "url", url))))))
                        .status())
                .isEqualTo(202);
        who.follow(thread, "r");
    }

    private static long objects(AgentCaller who) {
        return server.count("select count(*) from objects where owner = '"
                + who.api().get("/api/v1/auth/me").text("sender_id") + "'");
    }

    @Test
    void unusedAttachmentIsRemovedAfterAWeekAndUsedOneStays() {
        AgentCaller ada = AgentCaller.somebody(server);
        String thread = UUID.randomUUID().toString();
        Form form = Form.file("a.png", "image/png", SampleImages.png(5, 5));
        use(ada, thread, form.uploadBy(ada.api()).text("url"));
        form.uploadBy(ada.api());
        assertThat(objects(ada)).isEqualTo(2);
        server.execute("update objects set created_at = created_at - interval '6 days 23 hours'");
        server.server().sweepObjects();
        assertThat(objects(ada)).isEqualTo(2);
        server.execute("update objects set created_at = created_at - interval '2 hours'");
        server.server().sweepObjects();
        assertThat(objects(ada)).isEqualTo(1);
        assertThat(server.count("select objects from storage_usage")).isEqualTo(1);

        // With its thread it is unused again, and is removed a week later.
        assertThat(ada.api().delete("/api/v1/chat/threads/" + thread).status()).isLessThan(300);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> server.count("select count(*) from objects where attached") == 0);
        server.server().sweepObjects();
        assertThat(objects(ada)).isEqualTo(1);
        server.execute("update objects set created_at = created_at - interval '7 days 1 hour'");
        server.server().sweepObjects();
        assertThat(objects(ada)).isZero();
        server.execute("update blobs set idle_since = idle_since - interval '25 hours'");
        server.server().sweepObjects();
        assertThat(server.count("select count(*) from blobs")).isZero();
    }
}
