package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.RevisedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AgnoMessageTest {
    private static final Instant AT = Instant.parse("2026-02-03T04:05:06.789Z");

    private static StoredMessage made(
            Role role, String content, @Nullable String metadata, Map<ObjectKey, StoredObject> shown) {
        EntryContent said = new EntryContent(
                "m1",
                EntryKind.MESSAGE,
                null,
                Actor.user(new UUID(0, 7)),
                role,
                content,
                metadata == null ? null : metadata.replace('\'', '"'),
                List.of(),
                null,
                null,
                null,
                null);
        Entry entry = new Entry(new ThreadId(UuidV7.next()), 5, 9, AT, Digest.ZERO, said, null, List.of());
        return new AgnoMessage(RevisedMessage.unrevised(entry), MessageUsage.NONE).write(shown);
    }

    private static String text(Role role, String content, @Nullable String metadata) {
        return new String(made(role, content, metadata, Map.of()).json(), StandardCharsets.UTF_8).replace('"', '\'');
    }

    @Test
    void plainMessageHasTheMembersThatAgnoAlwaysWrites() {
        assertThat(text(Role.USER, "中文 👋 مرحبا e\u0301", null))
                .isEqualTo("{'id':'m1','content':'中文 👋 مرحبا e\u0301','from_history':false,"
                        + "'stop_after_tool_call':false,'role':'user','created_at':1770091506}");
    }

    @Test
    void answerOfARunHasItsCallsAndReasoning() {
        assertThat(text(
                        Role.ASSISTANT,
                        "",
                        "{'run_id':'r','latency_ms':5,'reasoning':[{'id':'x','content':'hm'},{'content':'so'}],"
                                + "'tool_calls':[{'id':'c1','type':'function','function':{'name':'f','arguments':''},"
                                + "'metadata':{'a':1}}]}"))
                .isEqualTo("{'id':'m1','reasoning_content':'hm\\n\\nso','from_history':false,"
                        + "'stop_after_tool_call':false,'role':'assistant','tool_calls':[{'id':'c1',"
                        + "'type':'function','function':{'name':'f','arguments':''}}],'created_at':1770091506}");
    }

    @Test
    void callInAClientsOwnMetadataIsIgnored() {
        assertThat(text(
                        Role.ASSISTANT,
                        "hello",
                        "{'tool_calls':[{'id':'c1','type':'function','function':{'name':'f','arguments':''}}],"
                                + "'role':'system','reasoning':[{'content':'hm'}]}"))
                .isEqualTo("{'id':'m1','content':'hello','from_history':false,'stop_after_tool_call':false,"
                        + "'role':'assistant','created_at':1770091506}");
    }

    @Test
    void toolResultNamesItsCall() {
        String metadata = "{'run_id':'r','tool_call_id':'c1','tool_name':'f'";
        assertThat(text(Role.TOOL, "42", metadata + "}"))
                .isEqualTo("{'id':'m1','content':'42','from_history':false,'stop_after_tool_call':false,"
                        + "'role':'tool','tool_call_id':'c1','tool_name':'f','tool_call_error':false,"
                        + "'created_at':1770091506}");
        assertThat(text(Role.TOOL, "", metadata + ",'error':'no such city'}"))
                .contains("'content':'no such city'")
                .contains("'tool_call_error':true");
        assertThat(text(Role.TOOL, "x", metadata + ",'tool_failed':true}")).contains("'tool_call_error':true");
    }

    @Test
    void developerMessageBecomesASystemMessage() {
        assertThat(text(Role.ASSISTANT, "be brief", "{'latency_ms':1,'role':'developer'}"))
                .contains("'role':'system'");
    }

    private static StoredObject object(String name, String type) {
        return new StoredObject(
                new UUID(0, 3),
                new ObjectKey(ObjectKey.BUCKET, "agent-inputs/u/t/r/" + name),
                Actor.user(new UUID(0, 7)),
                new BlobId("ab".repeat(32)),
                1_000,
                type,
                name,
                null,
                null,
                null,
                null,
                true,
                AT,
                AT);
    }

    private static String file(StoredObject object, String more) {
        return "{'bucket':'agent-files','path':'" + object.key().path() + "'" + more + "}";
    }

    @Test
    void filesStandInAgnosMembersAsIfCutOut() {
        StoredObject image = object("a.png", "image/png");
        StoredObject sound = object("b.ogg", "audio/ogg");
        StoredObject pdf = object("c.pdf", "application/pdf");
        StoredObject csv = object("d.csv", "text/csv");
        StoredObject hidden = object("e.png", "image/png");
        String first = file(image, "");
        String metadata = "{'user_message_attachments':" + first + ",'attachments':[" + file(image, ",'id':'p1'") + ","
                + file(sound, "") + "," + file(pdf, ",'filename':'报告.pdf'") + "," + file(csv, ",'filename':'d.csv'")
                + "," + file(hidden, "") + "],'media':[{'type':'image','source':{'type':'url',"
                + "'value':'https://x/y.png'}},{'type':'image','source':{'type':'url','value':'cid:1'}}]}";

        StoredMessage message = made(
                Role.USER,
                "图",
                metadata,
                Map.of(image.key(), image, sound.key(), sound, pdf.key(), pdf, csv.key(), csv));

        JsonNode read = Json.MAPPER.readTree(message.json());
        assertThat(read.propertyNames())
                .containsExactly(
                        "id",
                        "content",
                        "from_history",
                        "stop_after_tool_call",
                        "role",
                        "images",
                        "audio",
                        "files",
                        "created_at");
        assertThat(read.get("images").toString().replace('"', '\''))
                .isEqualTo("[{'id':'p1','mime_type':'image/png','content':''},{'url':'https://x/y.png'}]");
        assertThat(read.get("files").toString().replace('"', '\''))
                .isEqualTo("[{'id':'" + pdf.id()
                        + "','mime_type':'application/pdf','filename':'报告.pdf','content':''}," + "{'id':'" + csv.id()
                        + "','filename':'d.csv','content':''}]");
        assertThat(message.media())
                .extracting(Medium::pointer)
                .containsExactly("/images/0", "/audio/0", "/files/0", "/files/1");
        for (Medium medium : message.media()) {
            byte[] json = message.json();
            assertThat(new String(json, medium.start(), medium.end() - medium.start(), StandardCharsets.UTF_8))
                    .isEqualTo("\"content\":\"\"");
            assertThat(medium.at()).isEqualTo(medium.end() - 1);
        }
    }
}
