/** The whole SDK against the real server, over a bad network and across restarts. */
@NullMarked
package dev.parley.sdk;

import org.jspecify.annotations.NullMarked;
