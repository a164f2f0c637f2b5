package dev.parley.testkit.chat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The channels of a scripted Slack and their messages. Safe for use by several threads. */
final class SlackWorkspace {
    private final Clock clock;
    private final Map<String, List<SlackPost>> channels = new LinkedHashMap<>();
    private final Map<String, String> closed = new HashMap<>();
    private final Map<String, List<Instant>> recent = new HashMap<>();
    private long latest;
    private int maxPosts = Integer.MAX_VALUE;
    private Duration window = Duration.ZERO;

    SlackWorkspace(Clock clock) {
        this.clock = clock;
    }

    synchronized void open(String channel) {
        channels.put(channel, new ArrayList<>());
    }

    /** Makes posts to the channel fail with this error from now on. */
    synchronized void close(String channel, String error) {
        closed.put(channel, error);
    }

    synchronized void limit(int posts, Duration per) {
        maxPosts = posts;
        window = per;
    }

    /** The seconds by which a post is too early for the rate limit; 0 if it is in time. */
    synchronized long tooEarly(String channel) {
        Instant now = clock.instant();
        List<Instant> posts = recent.computeIfAbsent(channel, none -> new ArrayList<>());
        posts.removeIf(at -> !at.plus(window).isAfter(now));
        if (posts.size() >= maxPosts) {
            return Math.max(
                    1, Duration.between(now, posts.getFirst().plus(window)).toSeconds());
        }
        posts.add(now);
        return 0;
    }

    /** The error with which a post to this channel is refused; empty if the post is allowed. */
    synchronized Optional<String> closed(String channel, @Nullable String thread) {
        if (!channels.containsKey(channel)) {
            return Optional.of("channel_not_found");
        }
        if (closed.containsKey(channel)) {
            return Optional.of(closed.get(channel));
        }
        return thread == null || find(channel, thread).isPresent() ? Optional.empty() : Optional.of("thread_not_found");
    }

    synchronized String add(
            String channel,
            String user,
            String text,
            @Nullable String thread,
            @Nullable String bot,
            @Nullable JsonNode metadata) {
        long micros = Math.max(latest + 1, clock.millis() * 1_000);
        latest = micros;
        String ts = "%d.%06d".formatted(micros / 1_000_000, micros % 1_000_000);
        channels.computeIfAbsent(channel, none -> new ArrayList<>())
                .add(new SlackPost(channel, ts, user, text, thread, bot, metadata, null));
        return ts;
    }

    synchronized boolean replace(String channel, String ts, String text) {
        boolean there = find(channel, ts).isPresent();
        channels.getOrDefault(channel, new ArrayList<>())
                .replaceAll(post -> post.ts().equals(ts) ? post.saying(text) : post);
        return there;
    }

    synchronized boolean remove(String channel, String ts) {
        return channels.getOrDefault(channel, new ArrayList<>())
                .removeIf(post -> post.ts().equals(ts));
    }

    /** Deletes a message. Like the real Slack, it leaves a notice in place of a message that has replies. */
    synchronized void delete(String channel, String ts) {
        List<SlackPost> posts = channels.getOrDefault(channel, new ArrayList<>());
        if (posts.stream().anyMatch(post -> post.isReply() && ts.equals(post.thread()))) {
            posts.replaceAll(post -> post.ts().equals(ts) ? post.asTombstone() : post);
        } else {
            remove(channel, ts);
        }
    }

    synchronized Optional<SlackPost> find(String channel, String ts) {
        return channels.getOrDefault(channel, List.of()).stream()
                .filter(post -> post.ts().equals(ts))
                .findFirst();
    }

    /** The messages of a channel, the oldest first. */
    synchronized List<SlackPost> posts(String channel) {
        return List.copyOf(channels.getOrDefault(channel, List.of()));
    }

    synchronized boolean has(String channel) {
        return channels.containsKey(channel);
    }
}
