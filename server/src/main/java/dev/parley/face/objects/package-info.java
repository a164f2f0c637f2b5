/** The storage face: what the storage client of Supabase calls, mapped to our objects. */
@NullMarked
package dev.parley.face.objects;

import org.jspecify.annotations.NullMarked;
