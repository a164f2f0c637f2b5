package dev.parley.face.integrations;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.Delivery;
import dev.parley.platforms.Received;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The routes that chat platforms deliver to. They prove themselves by what they send, so no rate limit refuses them; they
 * are answered when everything is stored, and whatever fails is answered so that they come again.
 */
public final class PlatformFace {
    private static final String SECRET = "secret";

    private final List<ChatPlatform> platforms;
    private final Function<ChatPlatform, ChatPlatform.Sink> sinks;
    private final Limits limits;

    /** @param sinks where what a platform brings is stored */
    public PlatformFace(List<ChatPlatform> platforms, Function<ChatPlatform, ChatPlatform.Sink> sinks, Limits limits) {
        this.platforms = List.copyOf(platforms);
        this.sinks = sinks;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        for (ChatPlatform platform : platforms) {
            ChatPlatform.Sink sink = sinks.apply(platform);
            for (String path : platform.paths()) {
                routes.openPost(
                        "/api/v1/integrations/" + path,
                        limits.otherBody(),
                        call -> receive(platform, path, sink, call));
            }
        }
    }

    private static Answer receive(ChatPlatform platform, String path, ChatPlatform.Sink sink, Call<Anyone> call) {
        Map<String, String> parameters =
                path.contains("{" + SECRET + "}") ? Map.of(SECRET, call.path(SECRET)) : Map.of();
        Received received = platform.receive(new Delivery(path, parameters, call::header, call.body()));
        sink.take(received.inbound());
        return Answer.of(received.status(), received.body());
    }
}
