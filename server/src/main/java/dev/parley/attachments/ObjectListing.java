package dev.parley.attachments;

import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * One level of an owner's folders, as Supabase's storage client lists it: objects, and folders for deeper objects.
 *
 * @param folder the path of the folder, without a slash at its end; empty for the top
 * @param search the prefix of names; empty for all names
 */
public record ObjectListing(String folder, String search, Order order, boolean descending, int offset, int limit) {
    /** The field by which a listing is sorted. */
    public enum Order {
        NAME("name"),
        CREATED_AT("created_at"),
        UPDATED_AT("updated_at");

        private final String column;

        Order(String column) {
            this.column = column;
        }
    }

    /**
     * An object or a folder in a listing.
     *
     * @param object null for a folder
     */
    public record Item(String name, @Nullable StoredObject object) {}

    List<Item> read(Handle handle, Actor owner) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        // Every page sorts all names under the prefix. They are few, because the objects of one owner are limited.
        String sql = """
                with under as (
                  select o.*, substr(o.path, length(:prefix) + 1) as rest from objects o
                  where o.owner = :owner and o.bucket = :bucket
                    and o.path >= :prefix and o.path < :prefix || chr(1114111)),
                named as (
                  select split_part(rest, '/', 1) collate "C" as name, strpos(rest, '/') > 0 as is_folder, u.* from under u),
                entries as (
                  select distinct on (name, is_folder) * from named order by name, is_folder, created_at)
                select * from entries
                where starts_with(lower(name), lower(:search))
                order by %s %s, name, is_folder offset :offset limit :limit""".formatted(order.column, descending ? "desc" : "asc");
        return handle.createQuery(sql)
                .bind("prefix", prefix)
                .bind("owner", owner.value())
                .bind("bucket", ObjectKey.BUCKET)
                .bind("search", search.toLowerCase(Locale.ROOT))
                .bind("offset", offset)
                .bind("limit", limit)
                .map((row, context) ->
                        new Item(row.getString("name"), row.getBoolean("is_folder") ? null : ObjectStore.object(row)))
                .list();
    }
}
