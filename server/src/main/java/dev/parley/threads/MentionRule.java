package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nobody is mentioned who is not in the thread. */
public final class MentionRule implements Rule<MentionRule.Mentionable> {
    /** The mentioned members that exist. */
    public record Mentionable(Set<MembershipRule.Member> members) {}

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Mentionable read(Connection connection, List<Command> commands) throws SQLException {
        List<MembershipRule.Member> mentioned = new ArrayList<>();
        for (Command command : commands) {
            for (Actor mention : mentions(command)) {
                mentioned.add(new MembershipRule.Member(command.thread(), mention));
            }
        }
        return new Mentionable(MemberQuery.read(connection, mentioned).keySet());
    }

    @Override
    public Judge over(Mentionable facts) {
        return (command, head) -> {
            List<Actor> mentions = mentions(command);
            for (int i = 0; i < mentions.size(); i++) {
                if (!facts.members().contains(new MembershipRule.Member(command.thread(), mentions.get(i)))) {
                    return Optional.of(
                            Refusal.ofField("mentions[" + i + "]", "names somebody who is not in this thread"));
                }
            }
            return Optional.empty();
        };
    }

    private static List<Actor> mentions(Command command) {
        List<Actor> mentions = new ArrayList<>();
        for (Change change : command.changes()) {
            if (change instanceof Change.Append append) {
                mentions.addAll(append.draft().said().mentions());
            }
        }
        return mentions;
    }
}
