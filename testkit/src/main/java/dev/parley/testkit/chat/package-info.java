/** Chat platforms that run in a test: strict about requests, and faulty on demand. */
@NullMarked
package dev.parley.testkit.chat;

import org.jspecify.annotations.NullMarked;
