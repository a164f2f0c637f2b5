# shellcheck shell=bash

# nearest WORD: the line of the input that is most like the word, by edit distance.
nearest() {
    word=$1 awk '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, row, above, corner) {
            for (j = 0; j <= length(b); j++) row[j] = j
            for (i = 1; i <= length(a); i++) {
                corner = row[0]
                row[0] = i
                for (j = 1; j <= length(b); j++) {
                    above = row[j]
                    row[j] = least(least(row[j], row[j - 1]) + 1, corner + (substr(a, i, 1) != substr(b, j, 1)))
                    corner = above
                }
            }
            return row[length(b)]
        }
        { d = distance(ENVIRON["word"], $0); if (NR == 1 || d < best) { best = d; name = $0 } }
        END { print name }'
}
