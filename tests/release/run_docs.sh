#!/bin/sh
# Runs the commands in the documents: each line of a code block that begins with komadori, komadori-kifu,
# komadori-match, komadori-train or `for seed`, in the order of its document, in a folder with small inputs.
# Numbers that would make a command slow are reduced; commands that cannot be run here are skipped with the
# reason. Those of docs/tasks.md are run unchanged, in an empty folder.
# Seconds: 70
# Long: runs every command of the documents
# Needs: all
set -u
. tests/checks.sh
top=$(pwd)
build=${KOMADORI_BUILD:-$top/build/release-native}
PATH=$build:$PATH

# commands FILE: prints the commands of a document, one per line. Lines that end in a backslash are joined, and
# text after two spaces (a comment) is removed.
commands() {
    awk '/^```/ { fenced = !fenced }
        fenced || /^    / || joins { sub(/^ +/, ""); line = line $0; joins = 0
            if (sub(/ *\\$/, " ", line)) { joins = 1; next }
            sub(/  .*/, "", line)
            if (line ~ /^(komadori(-kifu|-match|-train)?|printf|for seed) /) print line
            line = "" }' "$1"
}

# why_not COMMAND: why it cannot be run here; fails when it can.
why_not() {
    case $1 in
    *FILE* | *GAME* | *'"SFEN"'* | *', net, data') echo "contains placeholders" ;;
    *'build/tune-native'*) echo "needs the tuning build: tests/match/run_tune.sh" ;;
    *'-compliance '*) echo "takes ten seconds: tests/match/run_match.sh" ;;
    *'-shard 3/8'* | *'-merge part-'*) echo "needs a tournament of eight parts: tests/match/run_match.sh" ;;
    'komadori data merge --out saved.kmd g1.kmd.part') echo "needs a run that was killed: tests/usi/run_data.sh" ;;
    'komadori net test '*) echo "needs games of other engines: tests/usi/run_data.sh" ;;
    *) return 1 ;;
    esac
}

# Reduces numbers that would make the command slow.
shorten() {
    printf '%s\n' "$1" | sed -e 's/ \[.*//' -e 's/perft 5/perft 3/' -e 's/--games [0-9]*/--games 3/' -e 's/--nodes [0-9]*/--nodes 30/' \
        -e 's/-nodes [0-9][0-9]*:[0-9]*/-nodes 30:60/g' -e 's/ nodes=[0-9]*/ nodes=20/' -e 's/-rounds [0-9]*/-rounds 1/' -e 's/--hidden 64/--hidden 32/' \
        -e 's/--epochs [0-9]*/--epochs 1 --buffer 1 --batch 512/' -e 's/--positions [0-9]*/--positions 3/' \
        -e 's/count=[0-9]*/count=1/' -e 's/--time [0-9]*/--time 0.01/' -e 's/--cpu 15/--cpu 1/' \
        -e 's/tc=8+0.08/nodes=20/' -e 's/--min-[a-z]* [0-9]*//g' -e 's/-sprt .* -results/-rounds 1 -results/' -e 's/-sprt .*/-rounds 1/' \
        -e 's/^komadori analyze \(.*\)/komadori analyze --nodes 20 \1/' -e 's/--nodes 20 --time/--time/' \
        -e 's/--nodes 20 --no-search/--no-search/'
}

# The inputs that the documents mention. After 40 moves of the game 7f7e and a pawn dropped on 5e are legal.
prepare() {
    folder=$trial/$1
    mkdir -p "$folder/games" "$folder/pool"
    cd "$folder" && set -e
    cp -R "$top/bench" "$top/eval" .
    for name in komadori new a b; do
        ln -s "$build/komadori" "$name"
    done
    if [ "$1" = match.md ] || [ "$1" = contributing.md ]; then ln -s new old; else mkdir old; fi
    line="startpos moves 7g7f 3c3d 5g5f 5c5d 5f5e 5d5e 8h5e 6a5b 5e8h"
    line="$line 8b7b 2h3h 7b8b 3h4h 8b7b 4h2h 7b8b 2h3h 8b7b 3h4h 7b8b 4h2h 8b7b 2h3h 7b8b 3h4h"
    line="$line 7a6b 4h2h 6b7a 6i6h 7a6b 6h6i 6b7a 4i4h 1c1d 4h4i 1d1e 3i4h 9c9d 4h3i 9d9e 9g9f"
    echo "$line" >game.usi
    echo '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' >position.sfen
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
        echo "$line"
    done >big.usi
    for name in game.kif game.csa game.ki2 games/one.csa more.csa one.kif; do
        komadori-kifu convert game.usi -o "$name"
    done
    komadori-kifu convert big.usi -o big.csa
    cp big.csa floodgate.csa
    [ -L old ] || mv one.kif old
    komadori book make games/one.csa --out a.book --max-ply 20
    komadori book convert a.book --out b.db
    komadori gendata --out pool/g.kmd --games 3 --nodes 30
    printf 'sfen\n3gk4/4B1G2/5GR2/9/9/9/9/9/9 b rbg4s4n4l18p 1\n' >problems.tsv
}

# run COMMAND: as a reader would.
run() {
    sh -c "$1" </dev/null
}

mkdir "$trial/tasks" && cd "$trial/tasks" || exit 1
commands "$top/docs/tasks.md" >"$trial/commands"
while IFS= read -r command; do
    check "docs/tasks.md: $command" run "$command"
done <"$trial/commands"
cd "$top" || exit 1
check "docs/tasks.md has twenty tasks" [ "$(grep -c '^\*\*[0-9]*\. ' docs/tasks.md)" = 20 ]
check "each with a command" awk '/^\*\*[0-9]+\. / { if (open) exit 1; open = 1 } /^    / { open = 0 } END { exit open }' docs/tasks.md

for document in README.md docs/*.md; do
    [ "$document" != docs/tasks.md ] || continue
    commands "$document" >"$trial/commands"
    [ -s "$trial/commands" ] || continue
    name=$(basename "$document")
    (prepare "$name") >"$trial/prepared" 2>&1 || cat "$trial/prepared"
    while IFS= read -r command; do
        if reason=$(why_not "$command"); then
            skip "$document: $command" "$reason"
            continue
        fi
        cd "$trial/$name" || exit 1
        check "$document: $command" run "$(shorten "$command")"
        cd "$top" || exit 1
    done <"$trial/commands"
done

tell_counts
