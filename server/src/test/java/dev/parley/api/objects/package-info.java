/** The storage face, through its real client and through hostile requests. */
@NullMarked
package dev.parley.api.objects;

import org.jspecify.annotations.NullMarked;
