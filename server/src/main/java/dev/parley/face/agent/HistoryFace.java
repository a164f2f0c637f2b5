package dev.parley.face.agent;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.history.History;
import dev.parley.history.HistoryQuery;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;

/** The route of history. */
public final class HistoryFace {
    private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());

    private final History history;
    private final int maxPage;

    public HistoryFace(History history, int maxPage) {
        this.history = history;
        this.maxPage = maxPage;
    }

    public void addTo(Routes<Principal> routes) {
        routes.get("/api/v1/agent/history", Rate.POLL, this::day);
    }

    private Answer day(Call<Principal> call) {
        HistoryQuery query = new HistoryQuery(
                call.query("threadId").map(HistoryFace::thread).orElse(null),
                call.query("before").map(HistoryFace::date).orElse(null),
                call.query("tz").map(HistoryFace::zone).orElse(ZoneOffset.UTC),
                call.wholeNumber("beforeSeq").orElse(null),
                call.pageSize(maxPage, maxPage));
        return Answer.ok(call.reading(room -> history.day(call.caller(), query, room), History.Page::bytes)
                .day());
    }

    private static ThreadId thread(String text) {
        return ThreadId.parse(text)
                .orElseThrow(() -> ProblemException.invalidField("threadId", "must be a valid UUID"));
    }

    private static LocalDate date(String text) {
        try {
            if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException other) {
            // The text names a date that does not exist, such as the 30th of February. The statement below refuses it.
        }
        throw ProblemException.invalidField("before", "must be a date such as 2026-03-15");
    }

    private static ZoneId zone(String text) {
        if (!ZONES.contains(text)) {
            throw ProblemException.invalidField("tz", "must be the name of a time zone such as Asia/Shanghai");
        }
        return ZoneId.of(text);
    }
}
