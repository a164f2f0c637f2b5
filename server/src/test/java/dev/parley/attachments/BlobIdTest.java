package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobIdTest {
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void idIsTheSha256InHex() throws Exception {
        byte[] digest = Sha256.of("abc".getBytes(StandardCharsets.US_ASCII));

        assertThat(BlobId.of(digest)).isEqualTo(new BlobId(ABC));
        assertThat(new BlobId(ABC).bytes()).isEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
                "BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "../816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a\n"
            })
    void otherTextIsNoName(String text) {
        assertThatThrownBy(() -> new BlobId(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void digestHas32Bytes(int length) {
        assertThatThrownBy(() -> BlobId.of(new byte[length])).isInstanceOf(IllegalArgumentException.class);
    }
}
