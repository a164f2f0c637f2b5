package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectKeyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a/b/c.png",
                "a b.png",
                "图片/这张图.png",
                "صورة.png",
                "😀/e\u0301.png",
                "a#b",
                "a?b",
                "100%.png",
                "%2e%2e",
                "...",
                ".hidden",
                "a..b",
                "‥/ａ"
            })
    void pathIsAnyNameInAnyScript(String path) {
        assertThat(ObjectKey.of("agent-files", path))
                .get()
                .extracting(ObjectKey::path)
                .isEqualTo(path);
        assertThat(ObjectKey.parse("agent-files/" + path)).isEqualTo(ObjectKey.of("agent-files", path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                ".",
                "..",
                "../a",
                "a/..",
                "a/../b",
                "a/./b",
                "a\\b",
                "..\\a",
                "a\u0000",
                "a\nb",
                "a\u007fb",
                "a\u0085b",
                "a\ud83d"
            })
    void pathThatCouldLeaveAFolderIsRefused(String path) {
        assertThat(ObjectKey.of("agent-files", path)).isEmpty();
    }

    @Test
    void pathLengthIsLimited() {
        assertThat(ObjectKey.isPath("中".repeat(341) + "a")).isTrue();
        assertThat(ObjectKey.isPath("中".repeat(341) + "ab")).isFalse();
    }

    @Test
    void otherBucketIsUnknown() {
        assertThat(ObjectKey.of("other", "a")).isEmpty();
        assertThat(ObjectKey.of("Agent-Files", "a")).isEmpty();
        assertThat(ObjectKey.of("", "a")).isEmpty();
        assertThat(ObjectKey.parse("agent-files")).isEmpty();
    }
}
