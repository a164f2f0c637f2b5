/** The SDK against the real server: everything it offers, over a bad network and across restarts. */
@NullMarked
package dev.parley.sdk;

import org.jspecify.annotations.NullMarked;
