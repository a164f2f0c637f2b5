package dev.parley.face.objects;

import dev.parley.attachments.StoredObject;
import dev.parley.attachments.StoredObjects;
import dev.parley.attachments.UploadLimit;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.auth.RateLimits;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.BodyLimit;
import dev.parley.http.Call;
import dev.parley.http.Download;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of Supabase's storage client, which works unmodified. A path in an address has passed the URL parsers of
 * the client and of this server, and arrives decoded. A path in a body is not encoded.
 */
public final class ObjectFace {
    private static final String STORAGE = "/storage/v1/";
    private static final String OBJECT = STORAGE + "object";
    private static final String BUCKET = STORAGE + "bucket";
    private static final String NAMED = "/{bucket}/{path...}";

    private final StoredObjects objects;
    private final RateLimits rates;
    private final Limits.Requests limits;
    private final BodyLimit upload;

    public ObjectFace(StoredObjects objects, RateLimits rates, Limits.Requests limits, Limits.Objects uploads) {
        this.objects = objects;
        this.rates = rates;
        this.limits = limits;
        this.upload = UploadLimit.ofBody(uploads);
    }

    public void addTo(Routes<Principal> routes) {
        routes.problemsUnder(STORAGE, StorageError::members)
                .get(BUCKET, Rate.POLL, this::listBuckets)
                .get(BUCKET + "/{bucket}", Rate.POLL, this::describeBucket)
                .upload("POST", OBJECT + NAMED, upload, Rate.UPLOAD, this::upload)
                .upload("PUT", OBJECT + NAMED, upload, Rate.UPLOAD, this::update)
                .download(OBJECT + NAMED, Rate.POLL, this::download)
                .download(OBJECT + "/authenticated" + NAMED, Rate.POLL, this::download)
                .openGet(OBJECT + "/public" + NAMED, this::refusePublic)
                .openDownload(OBJECT + "/sign" + NAMED, this::downloadSigned)
                .post(OBJECT + "/sign" + NAMED, limits.body(), Unrated.BY_HANDLER, this::sign)
                .post(OBJECT + "/sign/{bucket}", limits.body(), Rate.POLL, this::signMany)
                .post(OBJECT + "/upload/sign" + NAMED, limits.body(), Rate.USER_MESSAGE, this::signUpload)
                .openUpload("PUT", OBJECT + "/upload/sign" + NAMED, upload, this::uploadSigned)
                .get(OBJECT + "/info" + NAMED, Rate.POLL, this::describe)
                .post(OBJECT + "/list/{bucket}", limits.body(), Rate.POLL, this::list)
                .post(OBJECT + "/list-v2/{bucket}", limits.body(), Rate.POLL, this::search)
                .post(OBJECT + "/move", limits.body(), Rate.USER_MESSAGE, this::move)
                .post(OBJECT + "/copy", limits.body(), Rate.USER_MESSAGE, this::copy)
                .delete(OBJECT + "/{bucket}", limits.body(), Rate.USER_MESSAGE, this::remove);
    }

    private Answer listBuckets(Call<Principal> call) {
        String search = call.query("search").orElse("");
        int limit = call.pageSize(limits.page(), limits.page());
        return Answer.ok(objects.buckets(call.caller()).stream()
                .filter(bucket -> bucket.name().contains(search))
                .skip(ObjectRequests.offset(call.query("offset")))
                .limit(limit)
                .map(ObjectViews::bucket)
                .toList());
    }

    private Answer describeBucket(Call<Principal> call) {
        return Answer.ok(ObjectViews.bucket(objects.requireBucket(call.caller(), call.path("bucket"))));
    }

    private Answer upload(Call<Principal> call) throws IOException {
        return put(call, wantsUpsert(call) ? StoredObjects.Mode.UPSERT : StoredObjects.Mode.CREATE);
    }

    private Answer update(Call<Principal> call) throws IOException {
        return put(call, StoredObjects.Mode.REPLACE);
    }

    private Answer put(Call<Principal> call, StoredObjects.Mode mode) throws IOException {
        return put(call, objects.requireTarget(call.caller(), call.path("bucket"), call.path("path"), mode));
    }

    private Answer uploadSigned(Call<Anyone> call) throws IOException {
        StoredObjects.ObjectTarget target =
                objects.requireGranted(signedKey(call), call.query("token").orElse(""));
        // The upload counts for the owner who signed the address, because the route itself knows no caller.
        rates.count(target.owner(), Rate.UPLOAD);
        return put(call, target);
    }

    private Answer put(Call<?> call, StoredObjects.ObjectTarget target) throws IOException {
        try (UploadedBody body = UploadedBody.read(call, target, objects, limits.metadataBytes())) {
            return Answer.ok(ObjectViews.kept(objects.put(target, body.file(), body.label())));
        }
    }

    private static boolean wantsUpsert(Call<?> call) {
        return call.header("x-upsert").orElse("").equalsIgnoreCase("true");
    }

    private static String signedKey(Call<?> call) {
        return call.path("bucket") + "/" + call.path("path");
    }

    private StoredObject readable(Call<Principal> call) {
        return objects.require(call.caller(), call.path("bucket"), call.path("path"));
    }

    private Download download(Call<Principal> call) {
        return served(readable(call), call.query("download"));
    }

    private Download downloadSigned(Call<Anyone> call) {
        return served(
                objects.requireOpened(signedKey(call), call.query("token").orElse("")),
                call.query("download").map(Disposition::decodedTwice));
    }

    private Download served(StoredObject object, Optional<String> download) {
        return ServedObject.of(object, download, (from, length) -> objects.open(object, from, length));
    }

    /**
     * Refuses the addresses of public objects. The client can build such addresses by itself, but no object is public.
     */
    private Answer refusePublic(Call<Anyone> call) {
        throw new ProblemException(Problem.OBJECT_NOT_FOUND, "No object is public; create a signed URL instead.");
    }

    private Answer describe(Call<Principal> call) {
        return Answer.ok(ObjectViews.description(readable(call)));
    }

    private Answer sign(Call<Principal> call) {
        Duration life =
                StoredObjects.requireLife(call.json(ObjectRequests.Sign.class).expiresIn());
        // The call is counted after its body is read, so that a call whose body cannot be read is refused and not
        // counted.
        call.count(Rate.POLL);
        return Answer.ok(new ObjectViews.Signed(objects.signedPath(readable(call), life)));
    }

    private Answer signMany(Call<Principal> call) {
        ObjectRequests.SignMany wanted = call.json(ObjectRequests.SignMany.class);
        Duration life = StoredObjects.requireLife(wanted.expiresIn());
        List<String> paths = ObjectRequests.paths("paths", wanted.paths());
        Map<String, StoredObject> visible = objects.find(call.caller(), call.path("bucket"), paths);
        return Answer.ok(paths.stream()
                .map(path -> signed(path, visible.get(path), life))
                .toList());
    }

    private ObjectViews.SignedOne signed(String path, @Nullable StoredObject object, Duration life) {
        return object == null
                ? new ObjectViews.SignedOne(Problem.OBJECT_NOT_FOUND.title(), path, null)
                : new ObjectViews.SignedOne(null, path, objects.signedPath(object, life));
    }

    private Answer signUpload(Call<Principal> call) {
        return Answer.ok(new ObjectViews.UploadUrl(
                objects.uploadPath(call.caller(), call.path("bucket"), call.path("path"), wantsUpsert(call))));
    }

    private Answer list(Call<Principal> call) {
        return Answer.ok(objects
                .list(
                        call.caller(),
                        call.path("bucket"),
                        ObjectRequests.listing(call.json(ObjectRequests.Listing.class)))
                .stream()
                .map(ObjectViews::entry)
                .toList());
    }

    private Answer search(Call<Principal> call) {
        return Answer.ok(ObjectViews.found(objects.search(
                call.caller(), call.path("bucket"), ObjectRequests.search(call.json(ObjectRequests.Search.class)))));
    }

    private Answer move(Call<Principal> call) {
        ObjectRequests.TransferPaths transfer = ObjectRequests.transfer(call.json(ObjectRequests.Transfer.class));
        StoredObject moved = objects.move(call.caller(), transfer.bucket(), transfer.from(), transfer.to());
        return Answer.ok(new ObjectViews.Moved(
                "Successfully moved", moved.id(), moved.key().toString()));
    }

    private Answer copy(Call<Principal> call) {
        ObjectRequests.TransferPaths transfer = ObjectRequests.transfer(call.json(ObjectRequests.Transfer.class));
        return Answer.ok(
                ObjectViews.kept(objects.copy(call.caller(), transfer.bucket(), transfer.from(), transfer.to())));
    }

    private Answer remove(Call<Principal> call) {
        List<String> paths = ObjectRequests.paths(
                "prefixes", call.json(ObjectRequests.Remove.class).prefixes());
        return Answer.ok(objects.remove(call.caller(), call.path("bucket"), paths).stream()
                .map(ObjectViews::removed)
                .toList());
    }
}
