package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.SubagentEvent;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Lets two members answer in child runs, word by word in turns; then sums up. */
record Team(Supplier<UUID> ids) implements DemoAction {
    private record Member(DemoVoice voice, String message, Iterator<String> words) {}

    @Override
    public void answer(Turn turn, String task, DemoVoice voice) throws InterruptedException {
        List<Member> members = List.of(
                begin("Researcher", "I found out all about this: " + task, voice),
                begin("Writer", "I wrote this down: " + task, voice));
        while (members.stream().anyMatch(member -> member.words.hasNext())) {
            for (Member member : members) {
                if (member.words.hasNext()) {
                    member.voice.add(member.message, member.words.next());
                }
            }
        }
        for (Member member : members) {
            end(member);
        }
        voice.answer("Researcher and Writer are done with: " + task);
    }

    private Member begin(String name, String text, DemoVoice agent) throws InterruptedException {
        String child = ids.get().toString();
        DemoVoice voice = new DemoVoice(agent.emitter(), agent.ids(), child);
        voice.emit(new SubagentEvent.Started(child, name));
        voice.enter(DemoStage.EXECUTION);
        return new Member(voice, voice.begin(), WordPieces.of(text).iterator());
    }

    private static void end(Member member) throws InterruptedException {
        member.voice.end(member.message);
        member.voice.leave(DemoStage.EXECUTION);
        member.voice.emit(new SubagentEvent.Finished(String.valueOf(member.voice.subagentRunId())));
    }
}
