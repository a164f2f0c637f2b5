package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AnswerScanTest {
    private static final byte[] ANSWER =
            "HTTP/1.1 201 Created\r\nx: y\r\nContent-Length: 12\r\n\r\n{\"a\": \"b\"}  ".getBytes(ISO_8859_1);

    @Test
    void theLengthIsKnownOnceTheHeadIsThere() {
        int head = ANSWER.length - 12;
        for (int limit = 0; limit < head; limit++) {
            assertThat(AnswerScan.wholeLength(ANSWER, limit)).isEqualTo(-1);
        }
        assertThat(AnswerScan.wholeLength(ANSWER, head)).isEqualTo(ANSWER.length);
        assertThat(AnswerScan.wholeLength(ANSWER, ANSWER.length)).isEqualTo(ANSWER.length);
    }

    @Test
    void theStatusIsRead() {
        assertThat(AnswerScan.status(ANSWER)).isEqualTo(201);
    }

    @Test
    void anAnswerWithoutLengthIsNotUnderstood() {
        byte[] bytes = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".getBytes(ISO_8859_1);
        assertThatThrownBy(() -> AnswerScan.wholeLength(bytes, bytes.length))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("chunked");
    }
}
