/**
 * Erasure and retention: the messages of a person or a thread are removed from every table and from the blob store, and
 * tombstones keep their seqs in the log. Owns erasures, erasure_threads and erasure_objects, and is the one package
 * that writes to the tables of others.
 */
@NullMarked
package dev.parley.erasure;

import org.jspecify.annotations.NullMarked;
