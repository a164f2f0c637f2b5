/**
 * Erasure and retention: what somebody said, or what a thread held, goes from every table and from the store of bytes,
 * and tombstones keep its place in the log. Owns erasures, erasure_threads and erasure_objects, and is the one package
 * that writes to the tables of others.
 */
@NullMarked
package dev.parley.erasure;

import org.jspecify.annotations.NullMarked;
