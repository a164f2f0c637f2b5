package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attached;
import dev.parley.attachments.MessageFiles;
import dev.parley.auth.IdentityLinks;
import dev.parley.auth.Sources;
import dev.parley.delivery.Place;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.Outcome;
import dev.parley.log.Role;
import dev.parley.log.Said;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.RunChange;
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
 * Stores a message that is found to be in order: with its files and with what is decided about it in one command. What
 * comes again is answered with what became of it the first time.
 */
final class Arrivals {
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

    Arrivals(
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

    /** Stores it with the files that came inside it. */
    Ingest.Accepted store(Keyholder holder, Incoming incoming) {
        // Before a thread is made for it: what is wrong with a file leaves nothing behind.
        IngestFiles.Kept kept =
                files.keep(holder.owner(), incoming.session(), incoming.given().files());
        return store(holder, incoming, kept, List.of());
    }

    /** Stores it with the files that were fetched, and says which were not; and with the messages before it. */
    Ingest.Accepted store(
            Keyholder holder, Incoming incoming, RemoteFiles.Fetched fetched, List<MissingHistory> earlier) {
        if (!fetched.failures().isEmpty()) {
            ArrayNode failures = incoming.stored().putArray("file_failures");
            fetched.failures()
                    .forEach(each ->
                            failures.addObject().put("name", each.name()).put("reason", each.reason()));
        }
        return store(holder, incoming, new IngestFiles.Kept(fetched.shown()), earlier);
    }

    private Ingest.Accepted store(
            Keyholder holder, Incoming incoming, IngestFiles.Kept kept, List<MissingHistory> earlier) {
        try {
            Conversations.Target target = conversations.open(holder, incoming);
            // Before the history, which takes the room that is left.
            MessageFiles.put(incoming.stored(), kept.shown());
            try (ThreadHistories.Reading history = histories.read(target.thread(), incoming, earlier)) {
                return append(holder, incoming, target, kept, history);
            }
        } catch (ProblemException refused) {
            if (!refused.problem().retryable()) {
                files.forget(kept);
            }
            if (refused.problem() != Problem.KEY_REUSED) {
                throw refused;
            }
            return again(holder, incoming, events.find(incoming.keys()).orElseThrow(() -> refused));
        }
    }

    /** What is said where nobody answers any more, or was taken back before it came, is kept and not answered. */
    private @Nullable String silenceOver(Keyholder holder, Incoming given, Conversations.Target target) {
        if (target.archived()) {
            return "archived";
        }
        return given.verified() && waiting.isDeleted(holder.source(), given.keys()) ? "deleted" : null;
    }

    private Ingest.Accepted append(
            Keyholder holder,
            Incoming given,
            Conversations.Target target,
            IngestFiles.Kept kept,
            ThreadHistories.Reading history) {
        Place place = given.dispatch();
        if (place != null) {
            dispatch.route(place, target.thread());
        }
        // A person who says a code is known from now on, and is not answered.
        String silence = given.linkCode()
                .map(code -> links.redeem(holder.source(), given.sender().actor(), code)
                        ? "identity_link"
                        : "identity_link_refused")
                .or(() -> Optional.ofNullable(silenceOver(holder, given, target)))
                .orElse(null);
        Incoming incoming = silence == null ? given : given.unanswered();
        InboundEvent event = event(incoming, target, silence);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Apply(new InboundChange.Received(event)));
        changes.add(new Change.Append(draft(incoming, target)));
        if (!kept.objects().isEmpty()) {
            changes.add(new Change.Apply(Attached.of(target.thread(), kept.objects())));
        }
        changes.addAll(history.changes());
        Outcome.Placed placed = log.append(
                        new Command(UuidV7.next(), target.thread(), Sources.integration(holder.source()), changes))
                .entries()
                .getFirst();
        if (placed.duplicate()) {
            files.forget(kept);
            return again(
                    holder,
                    incoming,
                    events.find(incoming.keys())
                            .orElseThrow(() -> new IllegalStateException("A message without its inbound event")));
        }
        history.settle();
        return new Ingest.Accepted(
                target.thread(),
                placed.entry().said().id(),
                placed.entry().seq(),
                event.verdict(placed.entry().engagement()),
                false);
    }

    private InboundEvent event(Incoming incoming, Conversations.Target target, @Nullable String silence) {
        ObjectNode config = incoming.given().dispatchConfig();
        return new InboundEvent(
                UuidV7.next(),
                incoming.keys(),
                incoming.sender().actor(),
                incoming.sender().bot(),
                target.thread(),
                target.agent(),
                incoming.given().dispatchType(),
                config == null ? null : Json.MAPPER.writeValueAsString(config),
                silence,
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    private Draft draft(Incoming incoming, Conversations.Target target) {
        // The key alone makes a delivery the same one: platforms send what they sent before with other words around it.
        return Draft.of(
                said(incoming, target, repliedTo(incoming, target.thread())),
                incoming.keys().toEntryKey(),
                Fingerprint.of("", List.of(), null, null));
    }

    /** What is said, without a place yet. */
    static Said said(Incoming incoming, Conversations.Target target, @Nullable String replyTo) {
        return new Said(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                incoming.sender().actor(),
                Role.USER,
                incoming.given().message(),
                Json.MAPPER.writeValueAsString(incoming.stored()),
                incoming.addresses() && target.hasAgent() ? List.of(target.agent()) : List.of(),
                replyTo,
                null,
                null,
                null);
    }

    /** Our id of the message that it answers, if that one came here too. */
    private @Nullable String repliedTo(Incoming incoming, ThreadId thread) {
        String external = incoming.metadata().id("reply_to_external_id");
        return external == null
                ? null
                : events.find(new DeliveryKeys(incoming.keys().channel(), external, null))
                        .filter(answered -> answered.thread().equals(thread))
                        .map(InboundEvent.Stored::messageId)
                        .orElse(null);
    }

    /**
     * It came before. Platforms tell of one message twice, as something said and as something said to somebody: whichever
     * comes first is stored, and the one that addresses an agent has it answered.
     */
    Ingest.Accepted again(Keyholder holder, Incoming incoming, InboundEvent.Stored stored) {
        if (!raises(incoming, stored)) {
            return Ingest.Accepted.before(stored);
        }
        try {
            return raise(holder, incoming, stored).orElseGet(() -> Ingest.Accepted.before(stored));
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            // A twin was faster, or nothing is said in the thread any more: a duplicate is answered in any case.
            return Ingest.Accepted.before(events.find(incoming.keys()).orElse(stored));
        }
    }

    /** Whether it has an agent answer what nobody was to answer when it came first. */
    static boolean raises(Incoming incoming, InboundEvent.Stored stored) {
        return stored.verdict().mayBeRaised()
                && stored.isTwinOf(incoming.keys())
                && incoming.addresses()
                && !incoming.passive()
                && !incoming.sender().bot()
                && !stored.bot()
                && incoming.sender().actor().equals(stored.sender());
    }

    private Optional<Ingest.Accepted> raise(Keyholder holder, Incoming incoming, InboundEvent.Stored stored) {
        Conversations.Target target = conversations.enter(stored.thread(), holder, incoming);
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
        changes.add(new Change.Apply(new InboundChange.Raised(stored.id(), verdict)));
        changes.addAll(RunChange.startedLater(
                stored.thread(), stored.seq(), stored.sender(), target.agent(), task, "run_" + task));
        log.append(new Command(UuidV7.next(), stored.thread(), Sources.integration(holder.source()), changes));
        return Optional.of(new Ingest.Accepted(stored.thread(), stored.messageId(), stored.seq(), verdict, true));
    }
}
