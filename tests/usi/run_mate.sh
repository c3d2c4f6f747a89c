#!/bin/sh
# The command mate: files, uniqueness and exit status.
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-build/release-native}/komadori

# mate ARGUMENTS...: solves with a small table.
mate() { "$komadori" mate --hash 4 "$@"; }

mate1="4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
hard="4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"
check "a position" exits 0 "^mate in 1," mate "$mate1"
check "an undecided position" exits 1 "^undecided," mate --nodes 1000 "$hard"
check "a bad position" exits 2 "column" mate "9/9 b - 1"

# A rook mates from afar; the drop that delays it is futile, and either capture of it mates.
check "futile drops at the end" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate \
    --check-unique "8k/9/6NG1/9/9/9/9/9/R8 b p 1"
check "a mate in one" exits 0 "^  unique: 0 other mates" mate --check-unique "$mate1"

printf '%s\tmixed\n' "$mate1" >"$trial/plain.tsv"
printf '\357\273\277category\tsfen\tknown_length\none\t%s\t1\n' "$mate1" >"$trial/marked.tsv"
tabs=$(printf '\t%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
printf '%ssfen\tknown_length\n%s%s\t1\n' "$tabs" "$tabs" "$mate1" >"$trial/wide.tsv"
: >"$trial/empty.tsv"
check "a list of positions" exits 0 "^all  *1 of  *1 decided" mate "$trial/plain.tsv"
check "a byte-order mark" exits 0 "^one  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" mate \
    --only one "$trial/marked.tsv"
check "the 17th and 18th column" exits 0 "^all  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" mate \
    "$trial/wide.tsv"
check "nothing of the category" exits 1 "no problem to solve" mate --only typo "$trial/marked.tsv"
check "an empty file" exits 1 "no problem to solve" mate "$trial/empty.tsv"
check "a file that is not there" exits 1 "error mate: " mate "$trial/nowhere.tsv"

tell_counts
