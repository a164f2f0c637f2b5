package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchConfigTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"token", "accessToken", "SLACK_BOT_TOKEN", "client-secret", "pass_word", "api key", "Bearer"})
    void secretsAreRecognisedInAnySpelling(String name) {
        assertThat(DispatchConfig.isSecretLike(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel", "channel_id", "thread_ts", "chat_guid", "reply_broadcast", "key", "author", ""})
    void routingIsNoSecret(String name) {
        assertThat(DispatchConfig.isSecretLike(name)).isFalse();
    }
}
