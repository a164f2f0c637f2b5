/** External runs. Their drivers post the events, and each answer states which events the log already contains. */
@NullMarked
package dev.parley.runs.external;

import org.jspecify.annotations.NullMarked;
