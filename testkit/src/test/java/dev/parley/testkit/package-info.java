/** Tests of what other tests stand on. */
@NullMarked
package dev.parley.testkit;

import org.jspecify.annotations.NullMarked;
