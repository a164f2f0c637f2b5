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
 * The files that come with a run: those of its user message are shown with it, those of tool results travel along. Of
 * a URL of ours only what it names is kept, never its token.
 *
 * @param ofMessage what is shown with the message
 * @param elsewhere parts whose bytes others keep: nobody here fetches them
 */
public record RunFiles(
        List<MessageFiles.MessageFile> ofMessage, List<StoredObject> all, List<ContentPart.Media> elsewhere) {
    static final RunFiles NONE = new RunFiles(List.of(), List.of(), List.of());

    public RunFiles {
        ofMessage = List.copyOf(ofMessage);
        all = List.copyOf(all);
        elsewhere = List.copyOf(elsewhere);
    }

    /** Finds the object of a URL, if the caller may use it, and as what it is said to be. */
    public interface Lookup {
        Optional<StoredObject> find(String url, @Nullable String mimeType);
    }

    /**
     * The last rule of a run's input. It stands apart because a URL expires: it may only be asked when the run is known to
     * be a new one, so that a retry gets its first answer.
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

    /** Where the files of a message are, as its client wrote it. */
    public static List<String> urlsIn(Message.User user) {
        return BinaryBlock.in(user).map(block -> String.valueOf(block.url())).toList();
    }

    /** What the message says of its files. */
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
