/**
 * The storage face: maps the requests of Supabase's storage client (<a
 * href="https://supabase.com/docs/reference/javascript/storage-from-upload">supabase.com</a>) to objects.
 */
@NullMarked
package dev.parley.face.objects;

import org.jspecify.annotations.NullMarked;
