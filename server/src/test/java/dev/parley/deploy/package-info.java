/** What operators get beside the server: each file of deploy/ is held against the server that it is for. */
@NullMarked
package dev.parley.deploy;

import org.jspecify.annotations.NullMarked;
