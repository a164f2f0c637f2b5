/**
 * A server with the data of the previous schema: how the data is created and saved, and how the present server
 * continues with it.
 */
@NullMarked
package dev.parley.upgrade;

import org.jspecify.annotations.NullMarked;
