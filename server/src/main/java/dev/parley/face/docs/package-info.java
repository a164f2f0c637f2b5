/** The API in its own words: the OpenAPI document, a page made from it, and where problems are explained. */
@NullMarked
package dev.parley.face.docs;

import org.jspecify.annotations.NullMarked;
