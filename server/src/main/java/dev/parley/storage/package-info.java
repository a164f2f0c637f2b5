/** PostgreSQL as the features see it: connections, transactions, migrations. Knows no feature. */
@NullMarked
package dev.parley.storage;

import org.jspecify.annotations.NullMarked;
