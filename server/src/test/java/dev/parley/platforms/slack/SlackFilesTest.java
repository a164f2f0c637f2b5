package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ingest.PlatformEvent;
import dev.parley.ingest.RemoteFile;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The files of Slack's messages, with and without a bot token. */
class SlackFilesTest {
    private final SlackScene scene = SlackScene.withToken();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void filesAreFetchedWithTheToken() throws Exception {
        byte[] bytes = "bytes of an image".getBytes(StandardCharsets.UTF_8);
        ObjectNode payload = SlackScene.payload("file_share");
        ((ObjectNode) payload.at("/event/files/0"))
                .setAll(scene.slack.addFile("F0FILE00001", "diagram.png", "image/png", bytes));

        PlatformEvent.Posted posted = (PlatformEvent.Posted) scene.receive(payload);

        assertThat(posted.message().message()).isEmpty();
        assertThat(posted.message().fileMetadata()).isNull();
        RemoteFile file = posted.files().getFirst();
        assertThat(file.name()).isEqualTo("diagram.png");
        assertThat(file.mimeType()).isEqualTo("image/png");
        assertThat(file.sizeBytes()).isEqualTo(bytes.length);
        assertThat(file.fetch().fetch()).isEqualTo(bytes);
    }

    @Test
    void fileOnAnotherHostIsNotFetchedAndTheTokenNotSent() {
        RemoteFile file = scene.posted("file_share").files().getFirst();

        assertThatThrownBy(() -> file.fetch().fetch())
                .isInstanceOf(RemoteFile.Failed.class)
                .hasMessageContaining("host");
    }

    @Test
    void fileOfAnotherOrganisationIsLookedUp() throws Exception {
        byte[] bytes = {1, 2, 3};
        scene.slack.addFile("F0FILE00002", "theirs.bin", "application/octet-stream", bytes);

        RemoteFile file = scene.posted("file_share_connect").files().getFirst();

        assertThat(file.fetch().fetch()).isEqualTo(bytes);
        scene.slack.api().fail("files.info", new Fault.Instead(LocalApi.Answer.json(500, "")));
        assertThatThrownBy(() -> file.fetch().fetch()).isInstanceOf(RemoteFile.Failed.class);
    }

    @Test
    void deletedFileIsDescribed() {
        PlatformEvent.Posted posted = scene.posted("file_gone");

        assertThat(posted.files()).isEmpty();
        assertThat(posted.message().fileMetadata())
                .isEqualTo(Json.MAPPER.readTree("[{\"slack_file_id\":\"F0FILE00003\"}]"));
    }

    @Test
    void filesAreDescribedAndIdsAreNamesWithoutAToken() {
        try (SlackScene deaf = new SlackScene(null)) {
            PlatformEvent.Posted posted = deaf.posted("file_share");
            assertThat(posted.files()).isEmpty();
            assertThat(posted.message().fileMetadata()).isNotNull().hasSize(1);
            assertThat(posted.message().metadata().path("sender_display_name").asString())
                    .isEqualTo(SlackScene.OLIVIA);
            assertThat(deaf.platform.transport()).isEmpty();
            assertThat(deaf.slack.api().requests()).isEmpty();
            ObjectNode payload = SlackScene.payload("app_mention");
            payload.remove("authorizations");
            assertThat(((PlatformEvent.Posted) deaf.receive(payload))
                            .message()
                            .metadata()
                            .path("mentions")
                            .valueStream()
                            .filter(mention -> mention.path("is_self").asBoolean()))
                    .hasSize(1);
        }
    }
}
