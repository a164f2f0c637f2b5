/** Tests of the testkit. */
@NullMarked
package dev.parley.testkit;

import org.jspecify.annotations.NullMarked;
