package dev.parley.sdk;

import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.InboxHint;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class InboxSubscriptionTest {
    private final List<InboxHint> hints = new CopyOnWriteArrayList<>();
    private final List<StreamState> states = new CopyOnWriteArrayList<>();
    private final InboxListener listener = new InboxListener() {
        @Override
        public void hint(InboxHint hint) {
            hints.add(hint);
        }

        @Override
        public void state(StreamState state) {
            states.add(state);
        }
    };

    @Test
    void hintsGoOnAfterALostConnection() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(": hello\n\n" + hint(1) + "event: something_new\ndata: {}\n\n" + hint(2));
                        },
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(hint(3));
                            wire.untilClientLeaves();
                        });
                Parley client = quick(server)) {
            InboxSubscription inbox = client.inbox(listener);
            await().until(() -> hints.size() == 3);
            inbox.close();
            assertThat(hints).extracting(InboxHint::lastSeq).containsExactly(1L, 2L, 3L);
            assertThat(hints).extracting(InboxHint::threadId).containsOnly(THREAD);
            assertThat(hints).extracting(InboxHint::shouldRespond).containsOnly(true);
            assertThat(states)
                    .extracting(Object::getClass)
                    .containsExactly(
                            StreamState.Connecting.class,
                            StreamState.Open.class,
                            StreamState.Waiting.class,
                            StreamState.Connecting.class,
                            StreamState.Open.class,
                            StreamState.Closed.class);
            assertThat(server.requests())
                    .allSatisfy(request -> assertThat(request.headers()).doesNotContainKey("last-event-id"));
        }
    }

    @Test
    void finalRefusalFailsTheSubscription() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.json(403, problem(403, "forbidden", false)));
                Parley client = quick(server);
                InboxSubscription inbox = client.inbox(listener)) {
            await().until(() -> inbox.state() instanceof StreamState.Failed);
            assertThat(((StreamState.Failed) inbox.state()).cause()).isInstanceOf(ParleyProblem.class);
        }
    }

    @Test
    void unreadableHintsEndTheSubscription() throws IOException {
        ScriptedServer.Step broken = (request, wire) -> {
            wire.openStream();
            wire.write("event: thread_changed\ndata: {\"thread_id\"\n\n");
            wire.untilClientLeaves();
        };
        try (ScriptedServer server = new ScriptedServer(broken, broken, broken);
                Parley client = quick(server);
                InboxSubscription inbox = client.inbox(listener)) {
            await().until(() -> inbox.state() instanceof StreamState.Failed);
            assertThat(((StreamState.Failed) inbox.state()).cause()).isInstanceOf(StreamBroken.class);
            assertThat(hints).isEmpty();
        }
    }

    private static String hint(long seq) {
        return "event: thread_changed\ndata: {\"thread_id\": \"" + THREAD + "\", \"last_seq\": " + seq
                + ", \"unread_count\": 4, \"should_respond\": true}\n\n";
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryStreams(Samples.QUICK).connect();
    }
}
