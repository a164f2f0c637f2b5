package dev.parley.attachments;

import dev.parley.basics.Text;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * An owner's objects whose paths begin with a prefix, page by page, as in the second version of listing in Supabase's
 * storage client. A page continues after the last item of the previous page, even if objects were added or removed
 * meanwhile.
 *
 * @param byFolder true if objects beyond the next slash are listed as one folder
 * @param after the cursor of the previous page; null for the first page
 */
public record ObjectSearch(
        String prefix,
        boolean byFolder,
        ObjectListing.Order order,
        boolean descending,
        @Nullable String after,
        int limit) {
    /**
     * A page.
     *
     * @param items folders have a slash at the end of their names
     * @param next the cursor of the next page; null if this is the last page
     */
    public record SearchPage(
            List<ObjectListing.Item> items, @Nullable String next) {
        static final SearchPage NONE = new SearchPage(List.of(), null);
    }

    private record SearchCursor(String value, String name) {
        String encoded() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((value + "\n" + name).getBytes(StandardCharsets.UTF_8));
        }

        static SearchCursor decoded(String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
                int end = text.indexOf('\n');
                if (end >= 0 && Text.isStorable(text)) {
                    return new SearchCursor(text.substring(0, end), text.substring(end + 1));
                }
            } catch (IllegalArgumentException notOurs) {
                // Refused like a cursor that lacks a part.
            }
            throw new ProblemException(Problem.INVALID_CURSOR, "The cursor cannot be read; begin again without one.");
        }
    }

    private record Row(SearchCursor cursor, ObjectListing.Item item) {}

    SearchPage read(Handle handle, Actor owner) {
        SearchCursor start = after == null ? new SearchCursor("", "") : SearchCursor.decoded(after);
        // Every page sorts all names under the prefix. They are few, because the objects of one owner are limited.
        String sql = """
                with under as (
                  select o.*, strpos(substr(o.path, length(:prefix) + 1), '/') as slash from objects o
                  where o.owner = :owner and o.bucket = :bucket
                    and o.path >= :prefix and o.path < :prefix || chr(1114111)),
                named as (
                  select u.*, :byFolder and slash > 0 as is_folder,
                    (case when :byFolder and slash > 0 then substr(path, 1, length(:prefix) + slash) else path end)
                      collate "C" as name
                  from under u),
                entries as (select distinct on (name) * from named order by name, created_at),
                placed as (select *, (%s) collate "C" as place from entries)
                select * from placed
                where :first or (place, name) %s (:place collate "C", :name collate "C")
                order by place %3$s, name %3$s limit :limit""".formatted(sortKey(), descending ? "<" : ">", descending ? "desc" : "asc");
        List<Row> rows = handle.createQuery(sql)
                .bind("prefix", prefix)
                .bind("owner", owner.value())
                .bind("bucket", ObjectKey.BUCKET)
                .bind("byFolder", byFolder)
                .bind("first", after == null)
                .bind("place", start.value())
                .bind("name", start.name())
                .bind("limit", limit + 1)
                .map((row, context) -> new Row(
                        new SearchCursor(row.getString("place"), row.getString("name")),
                        new ObjectListing.Item(
                                row.getString("name"), row.getBoolean("is_folder") ? null : ObjectStore.object(row))))
                .list();
        List<ObjectListing.Item> items =
                rows.stream().limit(limit).map(Row::item).toList();
        return new SearchPage(
                items, rows.size() > limit ? rows.get(limit - 1).cursor().encoded() : null);
    }

    /** The sort key is text, so that one comparison serves all orders. */
    private String sortKey() {
        return switch (order) {
            case NAME -> "name";
            case CREATED_AT -> "to_char(created_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS')";
            case UPDATED_AT -> "to_char(updated_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS')";
        };
    }
}
