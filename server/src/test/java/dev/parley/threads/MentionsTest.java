package dev.parley.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Names found in texts. */
class MentionsTest {
    private static final ThreadSnapshot.Member ALICE = member("Alice");
    private static final ThreadSnapshot.Member ALICES_AGENT = member("Alice's Agent");
    private static final ThreadSnapshot.Member BOB = member("Bob");
    private static final ThreadSnapshot.Member OTHER_BOB = member("bob");
    private static final ThreadSnapshot.Member XIAO_MING = member("小明");
    private static final ThreadSnapshot.Member MINSU = member("민수");
    private static final ThreadSnapshot.Member NAMELESS = member(" ");

    private static ThreadSnapshot.Member member(String name) {
        return new ThreadSnapshot.Member(Actor.user(UUID.randomUUID()), name, List.of(), null, 0);
    }

    private static void mentions(String text, ThreadSnapshot.Member... expected) {
        List<ThreadSnapshot.Member> all = List.of(BOB, ALICE, ALICES_AGENT, OTHER_BOB, XIAO_MING, MINSU, NAMELESS);
        assertThat(Mentions.in(text, all))
                .as(text)
                .containsExactlyInAnyOrderElementsOf(List.of(expected).stream()
                        .map(ThreadSnapshot.Member::actor)
                        .toList());
    }

    @Test
    void theLongestNameWins() {
        mentions("@Alice's Agent, please", ALICES_AGENT);
        mentions("@Alice's idea", ALICE);
        mentions("@Alice and @Alice's Agent", ALICE, ALICES_AGENT);
    }

    @Test
    void caseDoesNotMatterAndASharedNameMeansBoth() {
        mentions("@ALICE!", ALICE);
        mentions("hey @Bob", BOB, OTHER_BOB);
    }

    @Test
    void namesEndWhereWordsEnd() {
        mentions("@Alicette");
        mentions("@Alice2");
        mentions("@Alice.", ALICE);
        mentions("(@Alice)", ALICE);
        mentions("@Alice,@Alice's Agent", ALICE, ALICES_AGENT);
        mentions("@Alice\nhello", ALICE);
        mentions("@@Alice", ALICE);
        mentions("Alice");
        mentions("@ Alice");
        mentions("@");
    }

    @Test
    void mailAddressesMentionNoParticipant() {
        mentions("write to me@alice.example or 1@Bob");
        mentions("mail@Alice");
    }

    @Test
    void namesAreFoundInTextWithoutSpaces() {
        mentions("你好@小明你怎么看", XIAO_MING);
        mentions("@小明", XIAO_MING);
        mentions("@민수는 어때", MINSU);
        mentions("请问@Alice怎么看", ALICE);
    }
}
