package dev.parley.face.integrations;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.InboundResult;
import java.util.Map;

/**
 * The routes of one chat platform's inbound requests. A request carries its own proof, so it has no rate limit. A
 * request is answered after all its events are stored. The answer to a failed request makes the platform retry.
 */
public final class PlatformFace {
    private static final String SECRET = "secret";

    private final ChatPlatform platform;
    private final ChatPlatform.Sink sink;
    private final long maxBody;

    /** @param sink stores the platform's events */
    public PlatformFace(ChatPlatform platform, ChatPlatform.Sink sink, long maxBody) {
        this.platform = platform;
        this.sink = sink;
        this.maxBody = maxBody;
    }

    public void addTo(Routes<Principal> routes) {
        for (String path : platform.paths()) {
            routes.openPost("/api/v1/integrations/" + path, maxBody, call -> receive(path, call));
        }
    }

    private Answer receive(String path, Call<Anyone> call) {
        Map<String, String> parameters =
                path.contains("{" + SECRET + "}") ? Map.of(SECRET, call.path(SECRET)) : Map.of();
        InboundResult received = platform.receive(new InboundRequest(path, parameters, call::header, call::body));
        sink.take(received.inbound());
        return Answer.of(received.status(), received.body());
    }
}
