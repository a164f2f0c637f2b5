package dev.parley.ingest;

import dev.parley.attachments.Attached;
import dev.parley.attachments.MessageFiles;
import dev.parley.auth.Sources;
import dev.parley.delivery.ReplyTarget;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Appends a valid inbound message, its files and the decision about it in one command. A repeated message gets the
 * outcome of the first message.
 */
final class InboundAppender {
    private final Log log;
    private final InboundEvents events;
    private final Conversations conversations;
    private final IngestFiles files;
    private final Dispatch dispatch;
    private final SilenceReasons silences;
    private final ThreadHistories histories;
    private final RepeatedMessages repeats;

    InboundAppender(
            Log log,
            InboundEvents events,
            Conversations conversations,
            IngestFiles files,
            Dispatch dispatch,
            SilenceReasons silences,
            ThreadHistories histories,
            RepeatedMessages repeats) {
        this.log = log;
        this.events = events;
        this.conversations = conversations;
        this.files = files;
        this.dispatch = dispatch;
        this.silences = silences;
        this.histories = histories;
        this.repeats = repeats;
    }

    /** Stores a message with the files in its request. */
    Ingest.Accepted store(InboundOwner holder, ParsedInbound inbound) {
        // The files are stored before the thread is created, so that an invalid file leaves no thread.
        IngestFiles.StoredFiles storedFiles =
                files.store(holder.owner(), inbound.session(), inbound.given().files());
        return store(holder, inbound, storedFiles, List.of());
    }

    /** Stores a message with its downloaded files, a list of the failed downloads, and the messages before it. */
    Ingest.Accepted store(
            InboundOwner holder, ParsedInbound inbound, RemoteFiles.Fetched fetched, List<MissingHistory> earlier) {
        if (!fetched.failures().isEmpty()) {
            ArrayNode failures = inbound.stored().putArray("file_failures");
            fetched.failures()
                    .forEach(each ->
                            failures.addObject().put("name", each.name()).put("reason", each.reason()));
        }
        return store(holder, inbound, new IngestFiles.StoredFiles(fetched.files()), earlier);
    }

    private Ingest.Accepted store(
            InboundOwner holder,
            ParsedInbound inbound,
            IngestFiles.StoredFiles storedFiles,
            List<MissingHistory> earlier) {
        try {
            Conversations.Target target = conversations.open(holder, inbound);
            // The files come before the history, because the history takes the rest of the metadata's room.
            MessageFiles.put(inbound.stored(), storedFiles.files());
            try (ThreadHistories.Reading history = histories.read(target.thread(), inbound, earlier)) {
                return append(holder, inbound, target, storedFiles, history);
            }
        } catch (ProblemException refused) {
            if (!refused.problem().retryable()) {
                files.forget(storedFiles);
            }
            if (refused.problem() != Problem.KEY_REUSED) {
                throw refused;
            }
            return repeats.outcome(holder, inbound, events.find(inbound.keys()).orElseThrow(() -> refused));
        }
    }

    private Ingest.Accepted append(
            InboundOwner holder,
            ParsedInbound given,
            Conversations.Target target,
            IngestFiles.StoredFiles storedFiles,
            ThreadHistories.Reading history) {
        ReplyTarget replyTarget = given.dispatch();
        if (replyTarget != null) {
            dispatch.route(replyTarget, target.thread());
        }
        String silence = silences.reason(holder, given, target).orElse(null);
        ParsedInbound inbound = silence == null ? given : given.unanswered();
        InboundEvent event = events.received(inbound, target, silence);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Apply(new InboundEffect.Received(event)));
        changes.add(new Change.Append(draft(inbound, target)));
        if (!storedFiles.objects().isEmpty()) {
            changes.add(new Change.Apply(Attached.of(target.thread(), storedFiles.objects())));
        }
        changes.addAll(history.changes());
        CommandOutcome.Placed placed = log.append(
                        new Command(UuidV7.next(), target.thread(), Sources.integration(holder.source()), changes))
                .entries()
                .getFirst();
        if (placed.duplicate()) {
            files.forget(storedFiles);
            return repeats.outcome(
                    holder,
                    inbound,
                    events.find(inbound.keys())
                            .orElseThrow(() -> new IllegalStateException("A message without its inbound event")));
        }
        history.settle();
        return new Ingest.Accepted(
                target.thread(),
                placed.entry().content().id(),
                placed.entry().seq(),
                event.verdict(placed.entry().engagement()),
                false);
    }

    private Draft draft(ParsedInbound inbound, Conversations.Target target) {
        // The fingerprint is constant: the key alone identifies a message, because platforms repeat messages with other
        // metadata.
        return Draft.of(
                content(inbound, target, repliedTo(inbound, target.thread())),
                inbound.keys().toEntryKey(),
                Fingerprint.of("", List.of(), null, null));
    }

    /** The content of the message's entry. */
    static EntryContent content(ParsedInbound inbound, Conversations.Target target, @Nullable String replyTo) {
        return new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                inbound.sender().actor(),
                Role.USER,
                inbound.given().message(),
                Json.MAPPER.writeValueAsString(inbound.stored()),
                inbound.addresses() && target.hasAgent() ? List.of(target.agent()) : List.of(),
                replyTo,
                null,
                null,
                null);
    }

    /**
     * The server's id of the message that the inbound message answers, if the answered message is stored in the thread.
     */
    private @Nullable String repliedTo(ParsedInbound inbound, ThreadId thread) {
        String external = inbound.metadata().id("reply_to_external_id");
        return external == null
                ? null
                : events.find(new InboundKeys(inbound.keys().channel(), external, null))
                        .filter(answered -> answered.thread().equals(thread))
                        .map(InboundEvent.Stored::messageId)
                        .orElse(null);
    }
}
