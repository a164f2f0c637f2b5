/**
 * The data that a server keeps on its machine or on external services: secrets of the first start, PostgreSQL, objects.
 */
@NullMarked
package dev.parley.app.data;

import org.jspecify.annotations.NullMarked;
