/**
 * The Java client of a Parley server, on the JDK's HTTP client: calls that repeat safely, and streams that resume by
 * themselves.
 */
@NullMarked
package dev.parley.sdk;

import org.jspecify.annotations.NullMarked;
