package dev.parley.platforms.discord;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.delivery.RetryAfter;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Posts to channels of Discord as the bot (<a
 * href="https://docs.discord.com/developers/resources/message#create-message">Discord: Create Message</a>). The marker
 * is an enforced nonce: for some minutes Discord answers the same nonce with the existing message, so a part that is
 * sent twice is posted once.
 */
final class DiscordTransport implements ChatTransport {
    private static final int MAX_PART_LENGTH = 2_000;
    /** Longest accepted pause, in seconds. */
    private static final int MAX_PAUSE = 1_000_000;

    private final DiscordApi api;
    private final DiscordSearch search;

    DiscordTransport(DiscordApi api, DiscordAccount account, Clock clock) {
        this.api = api;
        this.search = new DiscordSearch(api, account, clock);
    }

    @Override
    public String source() {
        return DiscordPlatform.SOURCE;
    }

    @Override
    public int largestPart() {
        return MAX_PART_LENGTH;
    }

    /** The size in UTF-16, as Discord's clients count; its server counts code points, which are never more. */
    @Override
    public ToIntFunction<String> size() {
        return String::length;
    }

    /** The id to post to: the thread's, if the target has one, as a thread of Discord is a channel. */
    static String channel(ReplyTarget target) {
        return target.thread().isEmpty() ? target.channel() : target.thread();
    }

    @Override
    public SendResult send(Parcel parcel) throws InterruptedException {
        String channel = channel(parcel.target());
        if (!DiscordJson.isId(channel)) {
            return new SendResult.Refused("The channel is not an id of Discord.");
        }
        ObjectNode message = content(parcel).put("nonce", parcel.marker()).put("enforce_nonce", true);
        return result(() -> judge(api.post("/channels/" + channel + "/messages", message)));
    }

    @Override
    public SendResult revise(Parcel parcel, String externalId) throws InterruptedException {
        String message = "/channels/" + channel(parcel.target()) + "/messages/" + externalId;
        return parcel.text().isEmpty()
                ? result(() -> deleted(api.delete(message), externalId))
                : result(() -> judge(api.patch(message, content(parcel))));
    }

    private static ObjectNode content(Parcel parcel) {
        ObjectNode message = Json.MAPPER.createObjectNode().put("content", parcel.text());
        // A text may mention users, but never everyone or a role.
        message.putObject("allowed_mentions").putArray("parse").add("users");
        return message;
    }

    /** The result of a deletion; an unknown message counts as deleted. */
    private static SendResult deleted(Calls.Answer answer, String externalId) {
        return answer.status() == 204 || answer.status() == 404 ? new SendResult.Delivered(externalId) : judge(answer);
    }

    /** A call of Discord. */
    private interface DiscordCall {
        SendResult make() throws Calls.NoAnswer, OutboundRefused, InterruptedException;
    }

    private static SendResult result(DiscordCall call) throws InterruptedException {
        try {
            return call.make();
        } catch (Calls.NoAnswer none) {
            return SendResult.unanswered(none);
        } catch (OutboundRefused refused) {
            return new SendResult.NotNow(String.valueOf(refused.getMessage()), null);
        }
    }

    private static SendResult judge(Calls.Answer answer) {
        int status = answer.status();
        if (status == 200 || status == 201) {
            String id = DiscordJson.text(tree(answer), "id");
            return id == null || !DiscordJson.isId(id)
                    ? new SendResult.Unknown("Discord did not return the message's id.")
                    : new SendResult.Delivered(id);
        }
        if (status == 429) {
            return new SendResult.NotNow("Discord's rate limit is reached.", pause(answer));
        }
        if (status == 401) {
            return new SendResult.NotNow("Discord does not accept the bot's token.", null);
        }
        boolean notPosted = status >= 300 && status < 500 && status != 408;
        return notPosted
                ? new SendResult.Refused(reason(answer))
                : new SendResult.Unknown("Discord answered " + status + ".");
    }

    /** The reason, by Discord's documented code; Discord's own sentence is left out, as it may quote the message. */
    private static String reason(Calls.Answer answer) {
        int code = tree(answer).path("code").asInt(0);
        String meaning = switch (code) {
            case 10_003 -> "There is no such channel.";
            case 50_001 -> "The bot does not see the channel.";
            case 50_013 -> "The bot may not write in the channel.";
            case 50_006 -> "The text is empty to Discord.";
            case 50_007 -> "The user accepts no messages of the bot.";
            case 50_083 -> "The thread is archived.";
            default -> "Discord refused it.";
        };
        return meaning + " (" + answer.status() + (code == 0 ? "" : ", code " + code) + ")";
    }

    /**
     * The wait that Discord asks for. The body gives the exact time. If the body gives none, the header is used,
     * because the answer may come from a proxy.
     */
    static @Nullable Duration pause(Calls.Answer answer) {
        double exact = tree(answer).path("retry_after").asDouble(0);
        return exact > 0 && exact < MAX_PAUSE
                ? Duration.ofMillis((long) Math.ceil(exact * 1_000))
                : answer.header("Retry-After").flatMap(RetryAfter::parse).orElse(null);
    }

    private static JsonNode tree(Calls.Answer answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JacksonException notJson) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public Lookup lookUp(Parcel parcel) throws InterruptedException {
        return search.lookUp(parcel);
    }

    @Override
    public void showTyping(ReplyTarget target) throws InterruptedException {
        String channel = channel(target);
        if (DiscordJson.isId(channel)) {
            try {
                api.post("/channels/" + channel + "/typing", Json.MAPPER.createObjectNode());
            } catch (Calls.NoAnswer | OutboundRefused unimportant) {
                // Best effort; the next typing signal follows in some seconds.
            }
        }
    }
}
