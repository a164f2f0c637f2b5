/** External runs: their drivers post the events, and are told how far the log has them. */
@NullMarked
package dev.parley.runs.external;

import org.jspecify.annotations.NullMarked;
