/** What a server keeps on its machine, or elsewhere in its place: the secrets of its first start, PostgreSQL, objects. */
@NullMarked
package dev.parley.app.data;

import org.jspecify.annotations.NullMarked;
