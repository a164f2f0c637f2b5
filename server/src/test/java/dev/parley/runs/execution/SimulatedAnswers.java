package dev.parley.runs.execution;

import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.EntryKind;
import dev.parley.log.RunFence;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunFacts;
import dev.parley.runs.lifecycle.Supersession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The answers of simulated runs in the log, and the supersession of one run's answers by another's. */
final class SimulatedAnswers {
    private final SimulatedRuns runs;
    private final List<Answer> answers = new ArrayList<>();
    private final Map<UUID, List<String>> texts = new HashMap<>();
    private final Map<UUID, Long> supersessions = new HashMap<>();
    private final Set<Long> lifted = new HashSet<>();
    private long seq = SimulatedRuns.QUESTION;

    SimulatedAnswers(SimulatedRuns runs) {
        this.runs = runs;
    }

    /** A stored message of a run. */
    private record Answer(long seq, UUID run, boolean superseded, boolean withdrawn) {}

    List<String> texts(UUID run) {
        return texts.getOrDefault(run, List.of());
    }

    /** The runs whose question a later run answers anew. */
    Set<UUID> superseded() {
        List<Run> all = runs.rows();
        return all.stream()
                .filter(run -> all.stream().anyMatch(later -> supersedes(later, run)))
                .map(Run::taskId)
                .collect(Collectors.toSet());
    }

    private static boolean supersedes(Run later, Run run) {
        return later.positions().created() > run.positions().created()
                && later.readsTo() != null
                && later.readsTo() <= run.triggers().getLast();
    }

    /** By run, the entries that it lifts if it ends without an answer: its supersession and the answers only it hides. */
    Map<UUID, List<Long>> liftable() {
        return runs.rows().stream()
                .filter(run -> run.readsTo() != null)
                .collect(Collectors.toMap(Run::taskId, this::liftable));
    }

    private List<Long> liftable(Run ending) {
        List<Run> all = runs.rows();
        long own = Objects.requireNonNull(supersessions.get(ending.taskId()));
        List<Long> seqs = new ArrayList<>(List.of(own));
        answers.stream()
                .filter(Answer::superseded)
                .filter(answer -> supersedes(ending, runs.row(answer.run())))
                .filter(answer -> all.stream()
                        .noneMatch(other -> !other.equals(ending) && supersedes(other, runs.row(answer.run()))))
                .forEach(answer -> seqs.add(answer.seq()));
        Collections.sort(seqs);
        return seqs;
    }

    Supersession.View view(UUID task) {
        return new Supersession.View() {
            @Override
            public boolean isSuperseded() {
                return superseded().contains(task);
            }

            @Override
            public List<Long> liftable() {
                return SimulatedAnswers.this.liftable(runs.row(task));
            }
        };
    }

    /** An answer is hidden if and only if a run supersedes its run; a run without an answer supersedes none. */
    void check() {
        Set<UUID> superseded = superseded();
        for (Answer answer : answers) {
            boolean hidden = answer.superseded() && !lifted.contains(answer.seq())
                    || supersessions.values().stream().anyMatch(seq -> seq > answer.seq() && !lifted.contains(seq));
            runs.require(
                    answer.withdrawn() || hidden == superseded.contains(answer.run()),
                    "an answer of " + runs.row(answer.run()).runId() + (hidden ? " is hidden" : " stands"));
        }
        for (Run run : runs.rows()) {
            boolean silent = answers.stream().noneMatch(answer -> answer.run().equals(run.taskId()));
            runs.require(
                    !silent || run.readsTo() == null || run.state().wire().equals("completed"),
                    run.runId() + " hides the answers of other runs, and gives none");
        }
    }

    void append(Command command, Draft draft) {
        seq++;
        RunFence fence = command.fence();
        if (draft.content().kind() == EntryKind.SUPERSESSION && fence == null) {
            supersessions.put(
                    RunFacts.changes(command).stream()
                            .filter(RunEffect.Opened.class::isInstance)
                            .map(effect -> ((RunEffect.Opened) effect).run().taskId())
                            .findFirst()
                            .orElseThrow(),
                    seq);
        } else if (draft.content().kind() == EntryKind.SUPERSESSION) {
            lifted.add(Objects.requireNonNull(draft.content().targetSeq()));
        } else if (draft.content().kind() == EntryKind.MESSAGE && fence != null) {
            String metadata = String.valueOf(draft.content().metadata());
            answers.add(new Answer(
                    seq,
                    fence.run(),
                    metadata.contains("\"superseded\":true"),
                    metadata.contains("\"withdrawn\":true")));
            texts.computeIfAbsent(fence.run(), run -> new ArrayList<>())
                    .add(draft.content().text());
        }
    }
}
