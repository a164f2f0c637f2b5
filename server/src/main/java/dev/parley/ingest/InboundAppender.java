package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attached;
import dev.parley.attachments.MessageFiles;
import dev.parley.auth.IdentityLinks;
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
import dev.parley.runs.lifecycle.RunBirth;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Appends a valid inbound message, its files and the decision about it in one command. A repeated message gets the
 * outcome of the first.
 */
final class InboundAppender {
    private final Log log;
    private final InboundEvents events;
    private final Conversations conversations;
    private final IngestFiles files;
    private final Dispatch dispatch;
    private final IdentityLinks links;
    private final WaitingRevisions waiting;
    private final ThreadHistories histories;
    private final Agents agents;
    private final Clock clock;

    InboundAppender(
            Log log,
            InboundEvents events,
            Conversations conversations,
            IngestFiles files,
            Dispatch dispatch,
            IdentityLinks links,
            WaitingRevisions waiting,
            ThreadHistories histories,
            Agents agents,
            Clock clock) {
        this.log = log;
        this.events = events;
        this.conversations = conversations;
        this.files = files;
        this.dispatch = dispatch;
        this.links = links;
        this.waiting = waiting;
        this.histories = histories;
        this.agents = agents;
        this.clock = clock;
    }

    /** Stores a message with the files in its request. */
    Ingest.Accepted store(InboundOwner holder, ParsedInbound inbound) {
        // Before its thread is made, so that an invalid file leaves nothing behind.
        IngestFiles.StoredFiles storedFiles =
                files.store(holder.owner(), inbound.session(), inbound.given().files());
        return store(holder, inbound, storedFiles, List.of());
    }

    /** Stores a message with its downloaded files, a list of the failed ones, and the messages before it. */
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
            // Before the history, which takes the rest of the metadata's room.
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
            return repeated(holder, inbound, events.find(inbound.keys()).orElseThrow(() -> refused));
        }
    }

    /** The reason for which a message is stored but not answered; null without one. */
    private @Nullable String silenceReason(InboundOwner holder, ParsedInbound given, Conversations.Target target) {
        if (target.archived()) {
            return "archived";
        }
        return given.verified() && waiting.isDeleted(holder.source(), given.keys()) ? "deleted" : null;
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
        // A message with a link code links its sender, and is not answered.
        String silence = given.linkCode()
                .map(code -> links.redeem(holder.source(), given.sender().actor(), code)
                        ? "identity_link"
                        : "identity_link_refused")
                .or(() -> Optional.ofNullable(silenceReason(holder, given, target)))
                .orElse(null);
        ParsedInbound inbound = silence == null ? given : given.unanswered();
        InboundEvent event = event(inbound, target, silence);
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
            return repeated(
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

    private InboundEvent event(ParsedInbound inbound, Conversations.Target target, @Nullable String silence) {
        ObjectNode config = inbound.given().dispatchConfig();
        return new InboundEvent(
                UuidV7.next(),
                inbound.keys(),
                inbound.sender().actor(),
                inbound.sender().bot(),
                target.thread(),
                target.agent(),
                inbound.given().dispatchType(),
                config == null ? null : Json.MAPPER.writeValueAsString(config),
                silence,
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    private Draft draft(ParsedInbound inbound, Conversations.Target target) {
        // The key alone identifies a message: platforms repeat messages with other metadata.
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

    /** The server's id of the message that it answers, if that one is stored in the thread. */
    private @Nullable String repliedTo(ParsedInbound inbound, ThreadId thread) {
        String external = inbound.metadata().id("reply_to_external_id");
        return external == null
                ? null
                : events.find(new InboundKeys(inbound.keys().channel(), external, null))
                        .filter(answered -> answered.thread().equals(thread))
                        .map(InboundEvent.Stored::messageId)
                        .orElse(null);
    }

    /**
     * Handles a repeated message. Platforms report some messages twice, as a message and as a mention. The first report
     * is stored, and the one that addresses an agent causes the answer.
     */
    Ingest.Accepted repeated(InboundOwner holder, ParsedInbound inbound, InboundEvent.Stored stored) {
        if (!raises(inbound, stored)) {
            return Ingest.Accepted.before(stored);
        }
        try {
            return raise(holder, inbound, stored).orElseGet(() -> Ingest.Accepted.before(stored));
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            // A concurrent twin has caused the answer, or the thread is closed; a duplicate is accepted in any case.
            return Ingest.Accepted.before(events.find(inbound.keys()).orElse(stored));
        }
    }

    /** True if the repeated message causes an answer which the first report did not. */
    static boolean raises(ParsedInbound inbound, InboundEvent.Stored stored) {
        return stored.verdict().mayBeRaised()
                && stored.isTwinOf(inbound.keys())
                && inbound.addresses()
                && !inbound.passive()
                && !inbound.sender().bot()
                && !stored.bot()
                && inbound.sender().actor().equals(stored.sender());
    }

    private Optional<Ingest.Accepted> raise(InboundOwner holder, ParsedInbound inbound, InboundEvent.Stored stored) {
        Conversations.Target target = conversations.enter(stored.thread(), holder, inbound);
        boolean runs = target.hasAgent()
                && agents.find(target.agent())
                        .filter(RegisteredAgent::active)
                        .filter(agent -> agent.kind() != RegisteredAgent.Kind.EXTERNAL)
                        .isPresent();
        if (!runs) {
            return Optional.empty();
        }
        UUID task = UuidV7.next();
        Verdict verdict = new Verdict(true, "mentioned", "run_" + task);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Apply(new InboundEffect.Raised(stored.id(), verdict)));
        changes.addAll(RunBirth.byEarlierMessage(
                stored.thread(), stored.seq(), stored.sender(), target.agent(), task, "run_" + task));
        log.append(new Command(UuidV7.next(), stored.thread(), Sources.integration(holder.source()), changes));
        return Optional.of(new Ingest.Accepted(stored.thread(), stored.messageId(), stored.seq(), verdict, true));
    }
}
