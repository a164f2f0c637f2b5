/** The API's own documentation: the OpenAPI document, a page made from it, and the explanations of problems. */
@NullMarked
package dev.parley.face.docs;

import org.jspecify.annotations.NullMarked;
