#!/bin/sh
# Runs each libFuzzer build for FUZZ_SECONDS, starting from its corpus; new inputs stay in build/.
# usage: BUILD=build/fuzz-native FUZZ_SECONDS=60 tests/fuzz/fuzz.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
findings=0
for entry in tests/fuzz/fuzz_*.c; do
    name=$(basename "$entry" .c)
    if [ "${FUZZ_SECONDS:-0}" -eq 0 ]; then
        echo "built $BUILD/fuzz/$name"
        continue
    fi
    mkdir -p "$BUILD/found/$name" "tests/fuzz/corpus/$name"
    if "$BUILD/fuzz/$name" -max_total_time="$FUZZ_SECONDS" -print_final_stats=1 -timeout=10 \
        -artifact_prefix="$BUILD/found/$name-" "$BUILD/found/$name" "tests/fuzz/corpus/$name" \
        >"$BUILD/found/$name.log" 2>&1; then
        sed -n "s/^stat::number_of_executed_units: */$name: no finding in runs: /p" \
            "$BUILD/found/$name.log"
    else
        echo "$name: FINDING, see $BUILD/found/$name.log"
        findings=$((findings + 1))
    fi
done
[ "$findings" -eq 0 ]
