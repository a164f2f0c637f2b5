package dev.parley.sessions;

import dev.parley.testing.ChatCaller;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Streams one run into a session, as a wrapper around Agno's own stream does. */
final class AgnoStreamer {
    private final ChatCaller caller;
    private final String path;
    private final Map<String, Object> about;
    private @Nullable Integer epoch;
    private long next;

    /** @param about further members of the posts, such as agent_name */
    AgnoStreamer(ChatCaller caller, String session, String run, Object... about) {
        this.caller = caller;
        this.path = "/sessions/" + encoded(session) + "/runs/" + encoded(run) + "/events";
        this.about = new LinkedHashMap<>();
        for (int i = 0; i < about.length; i += 2) {
            this.about.put((String) about[i], about[i + 1]);
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Sends the next events, and records the answer. */
    AgnoStreamer say(Object... events) {
        ChatCaller.Reply reply = post(epoch, next, Arrays.asList(events));
        if (reply.status() != 200) {
            throw new AssertionError(reply.toString());
        }
        epoch = reply.body().get("epoch").asInt();
        next += events.length;
        return this;
    }

    ChatCaller.Reply post(@Nullable Integer underEpoch, long first, List<?> events) {
        Map<String, Object> body = new LinkedHashMap<>(about);
        if (underEpoch != null) {
            body.put("epoch", underEpoch);
        }
        body.put("first", first);
        body.put("events", events);
        return caller.post(path, body);
    }

    /** Sends the events with the next numbers, and ignores the answer. */
    ChatCaller.Reply unheard(Object... events) {
        return post(epoch, next, Arrays.asList(events));
    }

    @Nullable
    Integer epoch() {
        return epoch;
    }
}
