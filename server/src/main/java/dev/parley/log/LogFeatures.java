package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The features' contributions to the log, in the order in which the log calls them.
 *
 * @param rules the features that may refuse a command; the first refusal counts
 * @param followers the features that act on a placed entry
 * @param writers the writers of the effects from commands and followers
 */
public record LogFeatures(List<Rule<?>> rules, List<Follower<?>> followers, List<EffectWriter<?>> writers) {
    /** No features; the log then has only entries and events. */
    public static final LogFeatures NONE = new LogFeatures(List.of(), List.of(), List.of());

    public LogFeatures {
        rules = List.copyOf(rules);
        followers = List.copyOf(followers);
        writers = List.copyOf(writers);
    }

    /**
     * The features' facts for one batch. Each decision has its own judges and followers over the facts, so that
     * deciding does not change the facts.
     */
    record BatchFacts(List<Supplier<Rule.Judge>> judges, List<Supplier<Follower.Consequences>> followers) {
        static final BatchFacts NONE = new BatchFacts(List.of(), List.of());
    }

    BatchFacts read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<Supplier<Rule.Judge>> judges = new ArrayList<>(rules.size());
        for (Rule<?> rule : rules) {
            judges.add(judge(rule, source, heads, commands));
        }
        List<Supplier<Follower.Consequences>> consequences = new ArrayList<>(followers.size());
        for (Follower<?> follower : followers) {
            consequences.add(consequences(follower, source, heads, commands));
        }
        return new BatchFacts(judges, consequences);
    }

    /** Tells the rules about a committed batch. */
    void remember(Map<ThreadId, Head> before, Decision decision) {
        rules.forEach(rule -> rule.remember(before, decision.heads(), decision.effects()));
    }

    private static <F> Supplier<Rule.Judge> judge(
            Rule<F> rule, FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        F facts = rule.read(source, heads, commands);
        return () -> rule.over(facts);
    }

    private static <F> Supplier<Follower.Consequences> consequences(
            Follower<F> follower, FactSource source, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        F facts = follower.read(source, heads, commands);
        return () -> follower.over(facts);
    }
}
