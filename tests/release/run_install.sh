#!/bin/sh
# `make install` and `make uninstall`: every file is put in its place and removed again; the library compiles
# and links with its pkg-config file.
# Long: installs and builds a client
# Needs: all library
set -u
. tests/checks.sh
: "${CC:=cc}"
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}
mode=${KOMADORI_MODE:-release}
root="$trial/stage with blanks"
prefix=/opt/game
place=$root$prefix

# As an administrator whose files are private by default. The programs under test are installed, which saves a
# build.
install_strictly() {
    (umask 077 && make install DESTDIR="$root" PREFIX=$prefix ARCH=native MODE="$mode" BUILD="${BUILD:-build/release-native}")
}
check "install" install_strictly
check "everybody can read it" test -z "$(find "$root/opt" ! -perm -004)"
for name in komadori komadori-match komadori-csa komadori-kifu komadori-train; do
    check "$name is as it was built" cmp "$build/$name" "$place"/bin/$name
    check "$name runs" "$place"/bin/$name --version
    version=$("$place"/bin/$name --version | awk 'NR == 1 { print $2 }')
    check "man page of $name" grep -q "Komadori $version" "$place"/share/man/man1/$name.1
done
for page in $(sed -n '/^\.SH SEE ALSO/,$ p' docs/man/*.1 | grep -o '[a-z]*\.md' | sort -u) LICENSE; do
    check "$page, which the man pages name" test -s "$place"/share/doc/komadori/$page
done
check "openings for matches" test -s "$place"/share/doc/komadori/bench/openings.sfen
check "where the networks are from" test -s "$place"/share/doc/komadori/eval/README.md
# dead_links: the links of installed pages that lead nowhere.
dead_links() {
    (
        cd "$place/share/doc/komadori" || exit 1
        for page in *.md */*.md; do
            for file in $(grep -o '](\([^):#]*\)[)#]' "$page" | sed 's/^](//; s/[)#]$//') \
                $(sed -n 's/.*<img src="\([^":]*\)".*/\1/p' "$page"); do
                [ -e "$(dirname "$page")/$file" ] || echo "$page: $file"
            done
        done
    )
}
check "README.md, which README.ja.md leads to" test -s "$place"/share/doc/komadori/README.md
leads_nowhere=$(dead_links)
check "links of the pages lead somewhere: $leads_nowhere" test -z "$leads_nowhere"
check "nothing is left to fill in" sh -c "! grep -r @VERSION@ '$place'"
check "nothing outside the prefix" test -z "$(find "$root" -type f ! -path "$place/*")"

cat >"$trial/client.c" <<'END'
#include <komadori/kifu.h>
#include <komadori/version.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    puts(kmd_build());
    return strcmp(kmd_version(), KMD_VERSION) != 0 || kmd_format_by_name("csa") == NULL;
}
END
by_pkg_config() {
    ln -s "$root" "$trial/stage" # the flags are split at blanks
    PKG_CONFIG_PATH=$trial/stage$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$trial/stage
    LD_LIBRARY_PATH=$trial/stage$prefix/lib
    export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
    # shellcheck disable=SC2046
    $CC "$trial/client.c" -o "$trial/client" $(pkg-config --cflags --libs komadori) && "$trial/client"
}
if ! command -v pkg-config >/dev/null 2>&1; then
    skip "a client of the library" "there is no pkg-config"
elif [ "$mode" != release ] && [ "$mode" != debug ]; then
    skip "a client of the library" "it would have to be linked with the sanitizer of mode $mode"
else
    check "a client of the library" by_pkg_config
    check "pkg-config tells the version" grep -q "^Version: $version\$" "$place"/lib/pkgconfig/komadori.pc
fi

check "uninstall" make uninstall DESTDIR="$root" PREFIX=$prefix
check "no file stays behind" test -z "$(find "$root" -type f)"

# Different folders, each under DESTDIR.
elsewhere() {
    make "$1" DESTDIR="$trial/own" PREFIX=/usr BINDIR=/usr/games LIBDIR=/usr/lib/x INCLUDEDIR=/usr/inc MANDIR=/usr/man \
        DOCDIR=/usr/doc ARCH=native MODE="$mode" BUILD="${BUILD:-build/release-native}"
}
check "install elsewhere" elsewhere install
for file in games/komadori lib/x/libkomadori.a inc/komadori/kifu.h man/man1/komadori.1 doc/usi.md; do
    check "$file is there" test -s "$trial/own/usr/$file"
done
check "pkg-config knows" grep -q '^libdir=${prefix}/lib/x$' "$trial/own/usr/lib/x/pkgconfig/komadori.pc"
check "uninstall elsewhere" elsewhere uninstall
check "no file stays behind there" test -z "$(find "$trial/own" -type f)"

# A package is built for the users' machines, an installation without DESTDIR for this one.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS ARCH CROSS BUILD MODE
programs_of() { make -n install "$@" 2>/dev/null | sed -n 's:^install -m 755 \([^ ]*\)/komadori .*:\1:p'; }
check "here: for this machine" test "$(programs_of PREFIX=/usr)" = build/release-native
check "ARCH is obeyed" test "$(programs_of DESTDIR="$trial/y" ARCH=native)" = build/release-native
if [ "$($CC -dumpmachine | cut -d- -f1)" != x86_64 ]; then
    skip "a package" "$CC is not for x86-64"
else
    check "a package: for x86-64-v2" test "$(programs_of DESTDIR="$trial/y")" = build/release-x86-64-v2
    # Only if building is cheap, as after `make variants`.
    if [ "${KOMADORI_TEST_FULL:-}" = 1 ] || [ -x build/release-x86-64-v2/komadori ]; then
        check "a package is made" make install DESTDIR="$trial/y" PREFIX=/usr
        check "and is portable" exits 0 "Linux, x86-64-v2" "$trial"/y/usr/bin/komadori --version
        kernels() { "$1" --version | grep '^kernels'; }
        check "with the kernels of this processor" test "$(kernels "$trial"/y/usr/bin/komadori)" = "$(kernels "$build"/komadori)"
    else
        skip "what is in a package" "make variants has not built it"
    fi
fi

tell_counts
