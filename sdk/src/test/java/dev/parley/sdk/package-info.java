/** Tests of the client against a server that follows a script. */
@NullMarked
package dev.parley.sdk;

import org.jspecify.annotations.NullMarked;
