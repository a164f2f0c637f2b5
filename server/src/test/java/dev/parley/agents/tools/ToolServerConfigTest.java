package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.agents.tools.ToolServerConfig.Approval;
import dev.parley.agents.tools.ToolServerConfig.Http;
import dev.parley.agents.tools.ToolServerConfig.Stdio;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ToolServerConfigTest {
    private static final String COMMAND = "\"command\":\"files\"";
    private static final String URL = "\"url\":\"https://tools.example.org/mcp\"";

    private static ObjectNode json(String members) {
        return (ObjectNode) Json.MAPPER.readTree("{" + members + "}");
    }

    private static ToolServerConfig read(String members) {
        return ToolServerConfig.read("files", json(members));
    }

    private static List<String> faults(String name, String members) {
        ProblemException refused = catchThrowableOfType(
                ProblemException.class,
                () -> ToolServerConfig.require(name, json(members), new Secrets(Map.of("token", "hunter2-hunter2"))));
        assertThat(refused).as(members).isNotNull();
        return refused.errors().stream().map(FieldError::field).toList();
    }

    private static List<String> faults(String members) {
        return faults("files", members);
    }

    @Test
    void aCommandIsEnoughAndThenEverythingNeedsApproval() {
        assertThat(read(COMMAND))
                .isEqualTo(new ToolServerConfig(
                        "files",
                        new Stdio("files", List.of(), Map.of(), null),
                        Duration.ofSeconds(60),
                        null,
                        new Approval.Always(),
                        32_000));
        assertThat(read(COMMAND + ",\"args\":null,\"env\":null,\"dir\":null,\"tools\":null,\"approval\":null,"
                        + "\"timeout_seconds\":null,\"max_result_characters\":null"))
                .isEqualTo(read(COMMAND));
    }

    @Test
    void aProgramIsConfigured() {
        Stdio program =
                (Stdio) read(COMMAND + ",\"args\":[\"-y\",\"\"],\"env\":{\"KEY\":\"${secret:token}\"},\"dir\":\"/srv\"")
                        .transport();
        assertThat(program)
                .isEqualTo(new Stdio(
                        "files", List.of("-y", ""), Map.of("KEY", new SecretText("${secret:token}")), Path.of("/srv")));
    }

    @Test
    void remoteServerIsConfigured() {
        Http server = (Http) read(URL + ",\"headers\":{\"Authorization\":\"Bearer ${secret:token}\"}")
                .transport();
        assertThat(server.url().uri()).hasToString("https://tools.example.org/mcp");
        assertThat(server.headers()).containsOnlyKeys("Authorization");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "files-2", "a2345678901234567890123456789012"})
    void aNameIsShortAndPlain(String name) {
        assertThat(ToolServerConfig.read(name, json(COMMAND)).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2a", "-a", "Files", "a_b", "a b", "a.b", "a23456789012345678901234567890123"})
    void otherNamesAreRefused(String name) {
        assertThat(faults(name, COMMAND)).containsExactly(name);
    }

    @Test
    void everyInvalidFieldIsNamed() {
        assertThat(faults("\"args\":[1],\"header\":{},\"timeout_seconds\":0,\"approval\":\"maybe\",\"tools\":\"x\","
                        + "\"max_result_characters\":1"))
                .containsExactlyInAnyOrder(
                        "files.command",
                        "files.header",
                        "files.timeout_seconds",
                        "files.approval",
                        "files.tools",
                        "files.max_result_characters");
        assertThat(faults(COMMAND + "," + URL)).contains("files.url");
        assertThat(faults(COMMAND + ",\"headers\":{}")).containsExactly("files.headers");
        assertThat(faults(URL + ",\"env\":{}")).containsExactly("files.env");
        assertThat(faults(URL + ",\"headers\":{\"Host\":\"a\"}")).containsExactly("files.headers.Host");
        assertThat(faults(URL + ",\"headers\":{\"Mcp-Session-Id\":\"${secret:token}\"}"))
                .containsExactly("files.headers.Mcp-Session-Id");
        assertThat(faults(URL + ",\"headers\":{\"X-Api-Key\":\"plain\"}")).containsExactly("files.headers.X-Api-Key");
        assertThat(faults("\"url\":\"ftp://x\"")).containsExactly("files.url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"command\":\"\"",
                "\"command\":5",
                "\"command\":\"a\\u0000b\"",
                "\"command\":null",
            })
    void aCommandIsAText(String members) {
        assertThat(faults(members)).containsExactly("files.command");
    }

    @Test
    void anEnvironmentHoldsNamesAndTexts() {
        assertThat(faults(COMMAND + ",\"env\":{\"A=B\":\"x\"}")).containsExactly("files.env.A=B");
        assertThat(faults(COMMAND + ",\"env\":{\"A\":1}")).containsExactly("files.env.A");
        assertThat(faults(COMMAND + ",\"env\":{\"A\":\"${HOME}\"}")).containsExactly("files.env.A");
        assertThat(faults(COMMAND + ",\"env\":{\"A\":\"${secret:none}\"}")).containsExactly("files.env.A");
        assertThat(faults(COMMAND + ",\"env\":[]")).containsExactly("files.env");
        assertThat(faults(COMMAND + ",\"dir\":\"here\"")).containsExactly("files.dir");
    }

    @ParameterizedTest
    @CsvSource({"64,true", "65,false"})
    void argumentsAndVariablesAreCounted(int count, boolean fits) {
        String arguments = IntStream.range(0, count).mapToObj(i -> "\"x\"").collect(Collectors.joining(","));
        String variables =
                IntStream.range(0, count).mapToObj(i -> "\"V" + i + "\":\"x\"").collect(Collectors.joining(","));
        String members = COMMAND + ",\"args\":[" + arguments + "],\"env\":{" + variables + "}";
        if (fits) {
            assertThat(((Stdio) read(members).transport()).arguments()).hasSize(count);
        } else {
            assertThat(faults(members)).containsExactlyInAnyOrder("files.args", "files.env");
        }
    }

    @ParameterizedTest
    @CsvSource({"4096,true", "4097,false"})
    void textsHaveALength(int length, boolean fits) {
        String members = COMMAND + ",\"args\":[\"" + "x".repeat(length) + "\"]";
        if (fits) {
            assertThat(((Stdio) read(members).transport()).arguments()).hasSize(1);
        } else {
            assertThat(faults(members)).containsExactly("files.args");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "timeout_seconds,1,true",
        "timeout_seconds,600,true",
        "timeout_seconds,0,false",
        "timeout_seconds,601,false",
        "timeout_seconds,1.5,false",
        "max_result_characters,100,true",
        "max_result_characters,1000000,true",
        "max_result_characters,99,false",
        "max_result_characters,1000001,false"
    })
    void numbersHaveBounds(String member, String given, boolean fits) {
        String members = COMMAND + ",\"" + member + "\":" + given;
        if (fits) {
            ToolServerConfig config = read(members);
            assertThat(member.equals("timeout_seconds") ? config.timeout().toSeconds() : config.maxResultCharacters())
                    .isEqualTo(Long.parseLong(given));
        } else {
            assertThat(faults(members)).containsExactly("files." + member);
        }
    }

    @Test
    void approvalIsForAllForNoneOrForAllButSome() {
        assertThat(read(COMMAND + ",\"approval\":\"never\"").approval().isNeededFor("write"))
                .isFalse();
        assertThat(read(COMMAND + ",\"approval\":\"always\"").approval().isNeededFor("write"))
                .isTrue();
        Approval some = read(COMMAND + ",\"approval\":{\"except\":[\"read\"]}").approval();
        assertThat(some.isNeededFor("read")).isFalse();
        assertThat(some.isNeededFor("write")).isTrue();
        assertThat(some.isNeededFor("whatever the server adds later")).isTrue();
        assertThat(read(COMMAND + ",\"approval\":{\"except\":[]}").approval().isNeededFor("read"))
                .isTrue();
        assertThat(faults(COMMAND + ",\"approval\":true")).containsExactly("files.approval");
        assertThat(faults(COMMAND + ",\"approval\":{}")).containsExactly("files.approval");
        assertThat(faults(COMMAND + ",\"approval\":{\"only\":[]}")).containsExactly("files.approval");
        assertThat(faults(COMMAND + ",\"approval\":{\"except\":[],\"only\":[]}"))
                .containsExactly("files.approval");
        assertThat(faults(COMMAND + ",\"approval\":{\"except\":\"read\"}")).containsExactly("files.approval.except");
        assertThat(faults(COMMAND + ",\"approval\":{\"except\":[1]}")).containsExactly("files.approval.except");
    }

    @Test
    void listOfApprovalsIsRefusedAsAmbiguous() {
        ProblemException refused =
                catchThrowableOfType(ProblemException.class, () -> read(COMMAND + ",\"approval\":[\"write\"]"));
        assertThat(refused.errors())
                .containsExactly(new FieldError(
                        "files.approval", "cannot be a list: write {except: [...]} with the tools that need none"));
    }

    @Test
    void onlyListedToolsAreOffered() {
        assertThat(read(COMMAND).offers("any")).isTrue();
        ToolServerConfig some = read(COMMAND + ",\"tools\":[\"read\"]");
        assertThat(some.offers("read")).isTrue();
        assertThat(some.offers("write")).isFalse();
        assertThat(read(COMMAND + ",\"tools\":[]").offers("read")).isFalse();
        assertThat(faults(COMMAND + ",\"tools\":[\"\"]")).containsExactly("files.tools");
    }
}
