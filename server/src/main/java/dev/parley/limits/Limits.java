package dev.parley.limits;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Every limit of the server in one place, each a setting of its own. The type says the unit: {@code int} counts things,
 * {@code long} counts bytes.
 *
 * @param otherBody bytes of a request body, where no other limit is named
 * @param agentBody bytes of the body that starts a run
 * @param headerBytes bytes of a request's line and headers together
 * @param chatContent code points of a chat message
 * @param runMessages messages that a run is given
 * @param runText code points of the user message that starts a run, all its text blocks together
 * @param metadataBytes bytes of a metadata object, as JSON
 * @param opaqueId characters of an id that a caller made
 * @param displayName code points of a display name
 * @param title code points of a thread's title
 * @param mentions mentions in one message
 * @param participants participants of one thread
 * @param reactions different emojis of one author on one message
 * @param page items of one page
 * @param pageBytes bytes of text with which a page of messages or events ends
 * @param filterScan messages that one filtered read looks through
 * @param historyDay messages of one page of a thread's history
 * @param inFlight requests worked on at the same time
 * @param waitingPolls requests that wait at the same time: for an event, their client's body, memory, or the end of an upload or
 *     download
 * @param requestMemoryPercent part of the heap that all requests may hold together
 * @param memoryTimeout longest wait of a request for memory
 * @param streamsPerActor open streams of one actor
 * @param streamThreads threads that one stream follows
 * @param userMessagesPerMinute messages and runs of one user
 * @param agentMessagesPerMinute messages of one agent token
 * @param threadOperationsPerMinute changes of threads by one credential
 * @param pollsPerMinute polls by one credential
 * @param heartbeat longest silence on a stream
 * @param longPoll longest wait of a polling request
 * @param slowReader how long a stream may take nothing before it is closed
 * @param headTimeout time for a request's line and headers to arrive
 * @param bodyTimeout time for a request's body to arrive; of an upload, its longest silence
 * @param uploadTime time for an upload to arrive
 * @param drainBytes bytes read and dropped after an early refusal
 * @param drainTime time spent on reading and dropping after an early refusal
 * @param laneQueue commands waiting for one lane
 * @param laneQueueBytes bytes of the commands waiting for one lane
 * @param laneBatch commands in one transaction
 * @param laneBatchBytes bytes of the commands in one transaction
 * @param appendDeadline longest wait for an append
 * @param tailBytes bytes kept for the readers of one thread
 * @param tailBytesTotal bytes kept for the readers of all threads
 * @param pageReads pages that readers behind the live end read at the same time
 * @param contextMessages messages of the thread that an agent is shown
 * @param runsExecuting runs that this node executes at the same time
 * @param runsQueued runs that wait in one thread
 * @param runTime time that a run may take
 * @param runClaim time for an external agent to begin a run that it was asked for
 * @param runOutput characters that one run may say
 * @param runEventDays days for which a run's own events are kept after its end
 * @param runEventsPerMinute posts of run events by one agent token
 * @param uploadBytes bytes of one upload
 * @param uploadsAtOnce uploads that arrive at the same time
 * @param uploadsPerActor uploads of one actor that arrive at the same time
 * @param uploadsPerMinute uploads of one user or agent token
 * @param imagePixels pixels that an image may have in all
 * @param attachments images that come with one run
 * @param unusedAttachmentDays days after which an attachment goes that was never shown in a message
 * @param ownedObjects objects that one owner keeps
 * @param ownedBytes bytes of the objects that one owner keeps
 * @param aguiBody bytes of a run's input on the AG-UI face, where the whole conversation comes along
 * @param aguiMessages messages of such an input
 * @param aguiText code points of a new message there
 * @param snapshotBytes bytes of the conversation that a client is shown at once
 * @param parcelTime time for the reader of a download, or of a stream behind its live end, to make room for 64 KB more
 * @param remoteFrame bytes of one event that a remote agent sends
 * @param remoteSilence how long a remote agent may send nothing
 * @param modelSilence how long a model's provider may send nothing
 * @param contextTokens tokens, by our own estimate, of what an agent is shown that does not say how many it takes
 * @param contextMemory bytes, roughly, that are remembered of what agents were shown last; twice
 * @param contextDays days for which it is kept what a model was shown
 * @param ingestBody bytes of a message that an integration brings, with all that comes along
 * @param ingestText code points of its text
 * @param externalId bytes of an id that another platform gave
 * @param mentionToken code points of what mentions somebody on another platform
 * @param threadContext bytes of what an integration tells of the conversation before a message
 * @param ingestPerMinute messages that one integration key brings
 * @param webhooks webhooks of one thread
 * @param webhookAnswer how long a webhook's receiver may take for its answer
 * @param webhookSweep how often every webhook is looked at for events that no commit of this node told of
 * @param deliveryParts parts that one message may be split into for a platform
 * @param deliveryPatience how long something that does not arrive is tried again
 * @param deliveriesAtOnce webhooks that this node serves at the same time, and as many places of platforms
 * @param deliveryTurn how long one is served before others get its slot; an event under way is finished
 * @param deliveryLease how long a node that sends may be silent before another one takes over
 * @param platformFilesTime time for all files of one message to be fetched from their platform
 * @param platformNamesTime time for a platform to tell the names of the senders of a message; ids stand for late ones
 * @param platformHistoryTime time for a platform to show the messages before a delivered one
 * @param platformHistoryMessages earlier messages that a platform is asked for, the newest ones
 * @param sessionBody bytes of a body of the sessions face: messages come with their images
 * @param sessionEvents messages that are brought to a session at once
 * @param sessionMessages messages of a session that are given back at once, for a model to read
 * @param sessionAnswer bytes of an answer that has images inside it
 * @param sessionDocument bytes of what a session's client keeps besides messages
 * @param sessionAgents agents that the sessions of one owner name
 * @param sessionRunEvents events of a session's run that are posted at once, all in one transaction
 * @param databaseLock time that a statement outside the lanes waits for a lock of the database
 */
public record Limits(
        long otherBody,
        long agentBody,
        long headerBytes,
        int chatContent,
        int runMessages,
        int runText,
        long metadataBytes,
        int opaqueId,
        int displayName,
        int title,
        int mentions,
        int participants,
        int reactions,
        int page,
        long pageBytes,
        int filterScan,
        int historyDay,
        int inFlight,
        int waitingPolls,
        int requestMemoryPercent,
        Duration memoryTimeout,
        int streamsPerActor,
        int streamThreads,
        int userMessagesPerMinute,
        int agentMessagesPerMinute,
        int threadOperationsPerMinute,
        int pollsPerMinute,
        Duration heartbeat,
        Duration longPoll,
        Duration slowReader,
        Duration headTimeout,
        Duration bodyTimeout,
        Duration uploadTime,
        long drainBytes,
        Duration drainTime,
        int laneQueue,
        long laneQueueBytes,
        int laneBatch,
        long laneBatchBytes,
        Duration appendDeadline,
        long tailBytes,
        long tailBytesTotal,
        int pageReads,
        int contextMessages,
        int runsExecuting,
        int runsQueued,
        Duration runTime,
        Duration runClaim,
        int runOutput,
        int runEventDays,
        int runEventsPerMinute,
        long uploadBytes,
        int uploadsAtOnce,
        int uploadsPerActor,
        int uploadsPerMinute,
        int imagePixels,
        int attachments,
        int unusedAttachmentDays,
        int ownedObjects,
        long ownedBytes,
        long aguiBody,
        int aguiMessages,
        int aguiText,
        long snapshotBytes,
        Duration parcelTime,
        long remoteFrame,
        Duration remoteSilence,
        Duration modelSilence,
        int contextTokens,
        long contextMemory,
        int contextDays,
        long ingestBody,
        int ingestText,
        long externalId,
        int mentionToken,
        long threadContext,
        int ingestPerMinute,
        int webhooks,
        Duration webhookAnswer,
        Duration webhookSweep,
        int deliveryParts,
        Duration deliveryPatience,
        int deliveriesAtOnce,
        Duration deliveryTurn,
        Duration deliveryLease,
        Duration platformFilesTime,
        Duration platformNamesTime,
        Duration platformHistoryTime,
        int platformHistoryMessages,
        long sessionBody,
        int sessionEvents,
        int sessionMessages,
        long sessionAnswer,
        long sessionDocument,
        int sessionAgents,
        int sessionRunEvents,
        Duration databaseLock) {

    private static final long KB = 1024;
    private static final long MB = 1024 * KB;

    public static Limits defaults() {
        return new Limits(
                1 * MB,
                256 * KB,
                16 * KB,
                5_000,
                200,
                10_000,
                16 * KB,
                128,
                200,
                200,
                50,
                100,
                20,
                200,
                8 * MB,
                5_000,
                1_000,
                4_096,
                16_384,
                40,
                Duration.ofSeconds(5),
                64,
                32,
                600,
                60,
                60,
                300,
                Duration.ofSeconds(15),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                16 * MB,
                Duration.ofSeconds(5),
                8_192,
                64 * MB,
                512,
                8 * MB,
                Duration.ofSeconds(10),
                256 * KB,
                64 * MB,
                32,
                200,
                256,
                100,
                Duration.ofMinutes(15),
                Duration.ofMinutes(5),
                4_000_000,
                30,
                6_000,
                10 * MB,
                256,
                64,
                120,
                100_000_000,
                20,
                7,
                10_000,
                1024 * MB,
                20 * MB,
                10_000,
                262_144,
                8 * MB,
                Duration.ofMinutes(5),
                4 * MB,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                200_000,
                64 * MB,
                30,
                16 * MB,
                40_000,
                256,
                100,
                8 * KB,
                6_000,
                10,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                50,
                Duration.ofHours(24),
                64,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(8),
                Duration.ofMillis(1_500),
                Duration.ofSeconds(8),
                50,
                32 * MB,
                1_000,
                1_000,
                64 * MB,
                4 * MB,
                500,
                20_000,
                Duration.ofSeconds(5));
    }

    /**
     * The defaults with some limits replaced, each under its name and in its own type.
     *
     * @throws IllegalArgumentException if a name is not a limit's or a value has another type
     */
    public static Limits with(Map<String, Object> replaced) {
        RecordComponent[] components = Limits.class.getRecordComponents();
        Set<String> unknown = new HashSet<>(replaced.keySet());
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            unknown.remove(component.getName());
            types[i] = component.getType();
            values[i] = Objects.requireNonNullElseGet(
                    replaced.get(component.getName()), () -> defaults().value(component));
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("There are no limits named " + unknown);
        }
        try {
            return Limits.class.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException | InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException("A record could not be made from its own components", e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("A record lacks its constructor " + Arrays.toString(types), e);
        }
    }

    /** The value of one of this record's components. */
    public Object value(RecordComponent component) {
        try {
            return component.getAccessor().invoke(this);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalStateException("A limit could not be read: " + component.getName(), e);
        }
    }
}
