/** Owns objects, their blobs, and the URLs that open them. */
@NullMarked
package dev.parley.attachments;

import org.jspecify.annotations.NullMarked;
