package dev.parley.runs;

import org.jspecify.annotations.Nullable;

/** Knows the URLs that this server has signed for objects of its own. */
@FunctionalInterface
public interface SignedUrls {
    /** No attachments are kept, so no URL is ours. */
    SignedUrls NONE = (_, _) -> false;

    /**
     * Whether the URL is signed by us and not expired, its object is the caller's to use, and of the declared type.
     *
     * @param mimeType what the caller says it is; null from an image part that says no more than that
     */
    boolean isUsable(String url, @Nullable String mimeType);
}
