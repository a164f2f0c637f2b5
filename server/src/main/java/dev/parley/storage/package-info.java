/** Access to PostgreSQL for the features: connections, transactions, migrations. Knows no feature. */
@NullMarked
package dev.parley.storage;

import org.jspecify.annotations.NullMarked;
