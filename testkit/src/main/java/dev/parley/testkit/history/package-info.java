/** Records what writers and readers of a server saw, and judges afterwards whether it kept its promises (I1–I6, I10). */
@NullMarked
package dev.parley.testkit.history;

import org.jspecify.annotations.NullMarked;
