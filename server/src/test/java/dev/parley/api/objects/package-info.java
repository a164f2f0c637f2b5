/** The storage face, by its real client and by those who mean harm. */
@NullMarked
package dev.parley.api.objects;

import org.jspecify.annotations.NullMarked;
