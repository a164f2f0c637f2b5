package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FramesTest {
    @Test
    void eventIsItsFieldsAndABlankLine() {
        assertThat(Frames.event("7", "message", "{\"a\":1}").toString())
                .isEqualTo("id: 7\nevent: message\ndata: {\"a\":1}\n\n");
        assertThat(Frames.event(null, null, "x").toString()).isEqualTo("data: x\n\n");
        assertThat(Frames.comment("keep-alive").toString()).isEqualTo(": keep-alive\n\n");
    }

    @Test
    void lineBreaksForgeNothing() {
        assertThat(Frames.event("1\ndata: x", "a\r\n\r\nb\u0000", "y").toString())
                .isEqualTo("id: 1data: x\nevent: ab\ndata: y\n\n");
        assertThat(Frames.event(null, null, "a\nb\r\nc\rd\n").toString())
                .isEqualTo("data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
        assertThat(Frames.comment("a\n\ndata: b").toString()).isEqualTo(": adata: b\n\n");
    }

    @Test
    void jsonIsSentAsItIs() {
        byte[] json = "{\"a\":\"é 中 👋\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(Frames.json("7\n", "mess\nage", json).toString())
                .isEqualTo(Frames.event("7", "message", "{\"a\":\"é 中 👋\"}").toString());
        assertThat(Frames.json(null, "x", json).toString()).startsWith("event: x\ndata: {");
    }

    @Test
    void concatenatedFramesAreOne() {
        Frames one = Frames.event("1", null, "é");
        Frames two = Frames.event("2", null, "b");
        Frames both = Frames.concat(List.of(one, two));
        assertThat(both.toString()).isEqualTo(one.toString() + two);
        assertThat(both.size()).isEqualTo(both.toString().getBytes(StandardCharsets.UTF_8).length);
        assertThat(Frames.concat(List.of())).hasToString("");
        assertThat(Frames.concat(List.of(one))).isSameAs(one);
    }
}
