#!/bin/sh
# `make release` from two copies of the sources in different places gives the same bytes, and what is
# in the archive works where it is unpacked. The quick form compiles nothing: it packs the programs
# under test twice.
# Long: packs the sources twice
# Needs: all
set -u
. tests/checks.sh

[ "${KOMADORI_MODE:-release}" = release ] || skip_all release "archives are of mode release only"
tar --version 2>/dev/null | grep -q GNU || skip_all release "there is no GNU tar"
need sha256sum

# The variables of the make that runs this test must not affect the copies.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS ARCH CROSS
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
full=${KOMADORI_TEST_FULL:-0}
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}

# pack FOLDER: a copy of the sources in a folder of its own, and its archive.
pack() {
    mkdir -p "$trial/$1/build/test-programs"
    cp -R Makefile README.md LICENSE src include bench eval docs "$trial/$1"
    if [ "$full" = 1 ]; then
        make -C "$trial/$1" release
    else
        cp "$build"/komadori* "$trial/$1/build/test-programs"
        make -C "$trial/$1" archive RELEASE_BUILD=build/test RELEASE_ARCHS=programs
    fi
}
umask 022
check "the first archive" pack one
umask 077
check "the second archive" pack "another/place for it"
first=$(echo "$trial"/one/dist/*.tar.gz)
check "two builds are equal" cmp "$first" "$trial/another/place for it/dist/$(basename "$first")"
check "the checksum beside it" sh -c "cd '$trial/one/dist' && sha256sum -c ./*.sha256"

mkdir "$trial/new"
check "it can be unpacked" tar -C "$trial/new" -xzf "$first"
cd "$trial"/new/komadori-*-* || exit 1
check "the folder is called as the archive" test "$(basename "$PWD").tar.gz" = "$(basename "$first")"
check "the checksums inside" sha256sum -c SHA256SUMS
for file in README.md LICENSE bench/openings.sfen docs/gui.md docs/man/komadori.1 \
    komadori-match komadori-csa komadori-kifu komadori-train; do
    check "it has $file" test -s $file
done
for file in $(grep -o '](\([^):#]*\)[)#]' README.md | sed 's/^](//; s/[)#]$//' | sort -u); do
    check "it has $file, which README.md leads to" test -s "$file"
done
check "the tools run" ./komadori-kifu --version
engines=komadori
[ "$full" != 1 ] || [ "$(uname -m)" != x86_64 ] || engines="komadori komadori-v3 komadori-v4"
for engine in $engines; do
    [ "$full" != 1 ] || check "$engine has no parts" sh -c "! ldd ./$engine"
    # v3 and v4 may need a newer processor than this one.
    case $engine in
    *-v3) grep -q avx2 /proc/cpuinfo || continue ;;
    *-v4) grep -q avx512vl /proc/cpuinfo || continue ;;
    esac
    check "$engine runs" ./"$engine" --version
    cp "$trial/out" "$trial/version"
    check "$engine has its network" grep -q "^net      [0-9a-f]\{16\}" "$trial/version"
done

tell_counts
