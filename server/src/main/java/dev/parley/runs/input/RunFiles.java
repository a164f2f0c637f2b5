package dev.parley.runs.input;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of a run. Files of the user message are shown with that message; files of tool results only accompany the
 * run. If a URL is this server's own, only the object's name is stored, never the token.
 *
 * @param ofMessage the files shown with the message
 * @param elsewhere the parts whose bytes are on other servers; this server does not fetch the bytes
 */
public record RunFiles(
        List<MessageFiles.MessageFile> ofMessage, List<StoredObject> all, List<ContentPart.Media> elsewhere) {
    static final RunFiles NONE = new RunFiles(List.of(), List.of(), List.of());

    public RunFiles {
        ofMessage = List.copyOf(ofMessage);
        all = List.copyOf(all);
        elsewhere = List.copyOf(elsewhere);
    }

    /** Finds the object of a URL, if the caller may use it and its type is the stated one. */
    public interface Lookup {
        Optional<StoredObject> find(String url, @Nullable String mimeType);
    }

    /**
     * Checks that the caller may use the files of a run's input. This rule is separate from {@link RunInputRules},
     * because URLs expire. The rule is checked only for a new run; otherwise a retry with an expired URL would not get
     * the first answer.
     */
    public static RunFiles require(RunAgentInput input, Lookup usable) {
        List<MessageFiles.MessageFile> ofMessage = new ArrayList<>();
        List<StoredObject> all = new ArrayList<>();
        for (int i = 0; i < input.messages().size(); i++) {
            for (BinaryBlock block : BinaryBlock.in(input.messages().get(i)).toList()) {
                StoredObject object = Optional.ofNullable(block.url())
                        .flatMap(url -> usable.find(url, block.mimeType()))
                        .orElseThrow(() -> new ProblemException(Problem.RUN_INPUT_REFUSED, Attachments.NOT_USABLE));
                all.add(object);
                if (i == 0) {
                    ofMessage.add(new MessageFiles.MessageFile(object, block.filename(), block.id()));
                }
            }
        }
        return new RunFiles(ofMessage, all, List.of());
    }

    /** The URLs of a message's files, as its client wrote them. */
    public static List<String> urlsIn(Message.User user) {
        return BinaryBlock.in(user).map(block -> String.valueOf(block.url())).toList();
    }

    /** Adds the message's files to its metadata. */
    public void putInto(ObjectNode metadata) {
        if (!elsewhere.isEmpty()) {
            metadata.set(MessageFiles.ELSEWHERE, Json.MAPPER.valueToTree(elsewhere));
        }
        MessageFiles.put(metadata, ofMessage);
    }

    /** The files that a stored message names. */
    public static List<ObjectKey> keysIn(@Nullable String metadata) {
        return metadata == null ? List.of() : MessageFiles.keysIn(Json.MAPPER.readTree(metadata));
    }
}
