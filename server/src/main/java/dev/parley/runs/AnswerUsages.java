package dev.parley.runs;

import dev.parley.log.EntryContent;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.RunReport;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the usage for messages from runs, with one query for all messages on a page. */
public final class AnswerUsages {
    private static final String USED = """
            select r.run_id, u.message_id, sum(u.input_tokens) as input_tokens, sum(u.output_tokens) as output_tokens,
                sum(u.cached_tokens) as cached_tokens, sum(u.reasoning_tokens) as reasoning_tokens,
                case when count(distinct u.currency) = 1 then sum(u.cost) end as cost,
                case when count(distinct u.currency) = 1 then min(u.currency) end as currency
            from runs r join model_usage u on u.thread_id = r.thread_id and u.task_id = r.task_id
            where r.thread_id = :thread and r.run_id = any (:runs) and u.message_id = any (:messages)
            group by r.run_id, u.message_id""";

    private final Database database;

    AnswerUsages(Database database) {
        this.database = database;
    }

    /** A message, by the ids that its run gave it. */
    private record Answer(String runId, String messageId) {}

    /** The usage for the messages that a model created, by seq. */
    public Map<Long, AnswerUsage> of(ThreadId thread, Collection<RevisedMessage> messages) {
        Map<Long, Answer> answers = new HashMap<>();
        for (RevisedMessage message : messages) {
            answerIn(message).ifPresent(answer -> answers.put(message.original().seq(), answer));
        }
        if (answers.isEmpty()) {
            return Map.of();
        }
        Map<Answer, AnswerUsage> used = used(thread, Set.copyOf(answers.values()));
        return answers.entrySet().stream()
                .filter(each -> used.containsKey(each.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, each -> used.get(each.getValue())));
    }

    /** The message's ids, if the server measured them. An author may report the id of another message. */
    private static Optional<Answer> answerIn(RevisedMessage message) {
        EntryContent content = message.original().content();
        String metadata = content.metadata();
        if (content.role() != Role.ASSISTANT
                || message.isDeleted()
                || metadata == null
                || !metadata.contains("\"message_id\"")) {
            return Optional.empty();
        }
        JsonNode stored = Json.MAPPER.readTree(metadata);
        JsonNode run = stored.path("run_id");
        JsonNode id = stored.path("message_id");
        return RunReport.isMeasured(stored) && run.isString() && id.isString()
                ? Optional.of(new Answer(run.stringValue(), id.stringValue()))
                : Optional.empty();
    }

    private Map<Answer, AnswerUsage> used(ThreadId thread, Set<Answer> answers) {
        Map<Answer, AnswerUsage> usages = new HashMap<>();
        List<String> runs = answers.stream().map(Answer::runId).distinct().toList();
        List<String> ids = answers.stream().map(Answer::messageId).toList();
        database.read(handle -> handle.createQuery(USED)
                .bind("thread", thread.value())
                .bindArray("runs", String.class, runs)
                .bindArray("messages", String.class, ids)
                .map((row, context) ->
                        usages.put(new Answer(row.getString("run_id"), row.getString("message_id")), usage(row)))
                .list());
        return usages;
    }

    private static AnswerUsage usage(ResultSet row) throws SQLException {
        return new AnswerUsage(
                count(row, "input_tokens"),
                count(row, "output_tokens"),
                count(row, "cached_tokens"),
                count(row, "reasoning_tokens"),
                row.getBigDecimal("cost"),
                row.getString("currency"));
    }

    private static @Nullable Long count(ResultSet row, String column) throws SQLException {
        long count = row.getLong(column);
        return row.wasNull() ? null : count;
    }
}
