#!/bin/sh
# The command mate: files, uniqueness and exit status.
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-build/release-native}/komadori

# ends STATUS PATTERN ARGUMENTS...: the command ends with STATUS and prints PATTERN.
ends() {
    want=$1 pattern=$2
    shift 2
    "$komadori" mate --hash 4 "$@" >"$trial/said" 2>&1 </dev/null
    got=$?
    [ "$got" = "$want" ] && grep -q -e "$pattern" "$trial/said" || {
        echo "status $got"
        head -n 5 "$trial/said"
        return 1
    }
}

mate1="4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
hard="4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"
check "a position" ends 0 "^mate in 1," "$mate1"
check "an undecided position" ends 1 "^undecided," --nodes 1000 "$hard"
check "a bad position" ends 2 "column" "9/9 b - 1"

# A rook mates from afar; the drop that delays it is futile, and either capture of it mates.
check "futile drops at the end" ends 0 "^  unique: 0 other mates, 0 checks undecided$" \
    --check-unique "8k/9/6NG1/9/9/9/9/9/R8 b p 1"
check "a mate in one" ends 0 "^  unique: 0 other mates" --check-unique "$mate1"

printf '%s\tmixed\n' "$mate1" >"$trial/plain.tsv"
printf '\357\273\277category\tsfen\tknown_length\none\t%s\t1\n' "$mate1" >"$trial/marked.tsv"
tabs=$(printf '\t%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
printf '%ssfen\tknown_length\n%s%s\t1\n' "$tabs" "$tabs" "$mate1" >"$trial/wide.tsv"
: >"$trial/empty.tsv"
check "a list of positions" ends 0 "^all  *1 of  *1 decided" "$trial/plain.tsv"
check "a byte-order mark" ends 0 "^one  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" \
    --only one "$trial/marked.tsv"
check "the 17th and 18th column" ends 0 "^all  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" \
    "$trial/wide.tsv"
check "nothing of the category" ends 1 "no problem to solve" --only typo "$trial/marked.tsv"
check "an empty file" ends 1 "no problem to solve" "$trial/empty.tsv"
check "a file that is not there" ends 1 "error mate: " "$trial/nowhere.tsv"

tell_counts
