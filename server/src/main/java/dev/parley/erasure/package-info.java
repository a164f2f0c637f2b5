/**
 * Erasure and retention: the messages of a person or a thread are removed from every table and from the blob store, and
 * tombstones keep their seqs in the log. This package owns erasures, erasure_threads and erasure_objects. It is the
 * only package that writes to tables of other packages.
 */
@NullMarked
package dev.parley.erasure;

import org.jspecify.annotations.NullMarked;
