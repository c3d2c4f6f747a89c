# Komadori: build, test, install. `make help` explains. Needs GNU make and gcc or clang.
#
# Everything is built out of tree in build/MODE-ARCH/. CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS are the
# user's; the project's own flags are kept apart from them and come first.

define HELP
make               build the programs for this machine, the engine first, and link ./komadori and the others
make library       build the C library for rules and game records, libkomadori
make EXE=path      build only the engine, at this path, as OpenBench does; EVALFILE=net builds in another
                   network, CC=clang selects the compiler (bench/fleet/README.md)
make run           build only the engine and start it; it then waits for USI commands, and quit ends it
make test          build and run the quick tests; ends with a line "N passed, N failed, N skipped"
make test ONLY=str build and run only the tests named "str", or whose name contains it; several words may be given
make test-all      run the long tests as well; test-long: only these; test-list: print the names of all.
                   With FULL=1, tests include cases that take hours. With CLIENTS=1, they include those that fetch
                   other programs' libraries from npm and open pages in Chromium. `make test TIMING=1` runs
                   instead the tests that measure time, one at a time; it needs a quiet machine
make debug         build with assertions; asan, ubsan, tsan: with a sanitizer (the same as MODE=...)
make variants      build for other processors, for Windows and with clang, where a compiler is installed, and
                   compare the bench of each build; `make test` then also tests the programs for Windows and ARM
make syntax        check quickly that every source and header compiles by itself for ARCH and CROSS
make manuals       update the lists of options in docs/man/ and docs/usi.md
make bench-check   compare `komadori bench` with the Bench: line of the last commit
make fuzz          build the fuzz targets with libFuzzer (needs clang); FUZZ_SECONDS=60 also runs each for 60 s
make format        format all sources with clang-format 14
make release       create an archive in dist/ for this system or that of CROSS: programs that need no other
                   file, manuals, checksums. All programs are built for the first of RELEASE_ARCHS, the
                   engine also for each of the others
make install       install programs, libraries, headers, pkg-config file, man pages and documentation in
                   $$(DESTDIR)$$(PREFIX). With DESTDIR, for a package, the programs are built for $(PORTABLE)
                   unless ARCH is given; the evaluation still uses newer instructions
make uninstall     remove the installed files
make clean         remove build/ and the links; the archives in dist/ stay

Variables, with their current values in brackets
  MODE       [$(MODE)] release, debug, asan, ubsan, tsan, or tune (numbers of the search as options)
  ARCH       [$(ARCH)] native; on x86-64 also any value of -march, such as x86-64-v2, -v3 or -v4
  CC, CXX    [$(CC), $(CXX)] gcc or clang; C++ is used only to test the public headers
  CROSS      [$(CROSS)] prefix of a cross compiler, such as x86_64-w64-mingw32- for Windows
  EVALFILE   [$(EVALFILE)] network built into the engine
  STATIC     [$(STATIC)] 1: link programs statically, so that they need no other file
  WERROR     [$(WERROR)] 1: treat warnings as errors
  V          [$(V)] 1: print whole commands
  BUILD      [$(BUILD)] folder for all that is built, without spaces. With another one, no links are
             made, and the folder of the sources may be read-only
  FUZZ_SECONDS   [$(FUZZ_SECONDS)] how long `make fuzz` runs each target; 0: only build them
  RELEASE_ARCHS  [$(RELEASE_ARCHS)] processors that `make release` builds for
  PREFIX, DESTDIR                      [$(PREFIX), $(DESTDIR)]
  BINDIR, LIBDIR, INCLUDEDIR, DATADIR, MANDIR, DOCDIR   folders below PREFIX, as in the GNU standards
  CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS    added after the project's own flags
endef

# ---- what to build for -------------------------------------------------------------------------

MODE   ?= release
CROSS  ?=
# What is packed for others must run on their machines; the fastest kernels are chosen at run time.
PORTABLE = $(if $(ON_X86),x86-64-v2,$(if $(ON_ARM),armv8-a))
ARCH   ?= $(if $(CROSS),,$(if $(DESTDIR),$(PORTABLE),native))
STATIC ?=
PREFIX ?= /usr/local
EVALFILE ?= eval/komadori.nnue
ONLY   ?=
FULL   ?=
CLIENTS ?=
TIMING ?=
V      ?=
FUZZ_SECONDS ?= 0

ifneq ($(CROSS),)
CC     := $(CROSS)gcc
AR     := $(CROSS)ar
endif
WINDRES := $(CROSS)windres
ifeq ($(origin CXX),default)
CXX    := $(if $(findstring clang,$(CC)),clang++,c++)
endif

TARGET := $(shell $(CC) -dumpmachine 2>/dev/null)
ifneq ($(filter-out help clean uninstall,$(or $(MAKECMDGOALS),all)),)
ifeq ($(TARGET),)
$(error there is no C compiler $(CC): install gcc or clang, or name one, as in make CC=clang)
endif
ifeq ($(wildcard $(EVALFILE)),)
$(error there is no network $(EVALFILE): EVALFILE= names the file that is built into the engine)
endif
endif
ON_X86 := $(filter x86_64%,$(TARGET))
ON_ARM := $(filter aarch64% arm64%,$(TARGET))
ON_WIN := $(findstring mingw,$(TARGET))
ON_ELF := $(if $(ON_WIN)$(findstring darwin,$(TARGET)),,1)
EXT    := $(if $(ON_WIN),.exe)
space  := $(subst x,,x x)
comma  := ,
BUILD  := build/$(subst $(space),-,$(strip $(MODE) $(patsubst %-,%,$(CROSS)) $(ARCH)))

ifneq ($(word 2,$(BUILD) $(EVALFILE)),$(EVALFILE))
$(error make cannot build with spaces in the names BUILD=$(BUILD) and EVALFILE=$(EVALFILE))
endif

# ---- the project's own flags -------------------------------------------------------------------

MODE_release := -O3 -fno-plt
MODE_tune    := -O3 -DKMD_TUNE
MODE_debug   := -O1 -g -DKMD_DEBUG
MODE_asan    := -O1 -g -DKMD_DEBUG -fsanitize=address -fno-omit-frame-pointer
MODE_ubsan   := -O1 -g -DKMD_DEBUG -fsanitize=undefined -fno-sanitize-recover=all
MODE_tsan    := -O1 -g -fsanitize=thread
MODE_fuzz    := -O1 -g -DKMD_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all \
                -fsanitize=fuzzer-no-link -fno-omit-frame-pointer
MODE_FLAGS   := $(or $(MODE_$(MODE)),$(error there is no MODE=$(MODE): it is release, debug, asan, ubsan, tsan or tune))
WERROR       ?= $(if $(filter release,$(MODE)),0,1)

WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
              -Wwrite-strings -Wundef -Wvla \
              -Werror=implicit-function-declaration -Werror=incompatible-pointer-types \
              -Werror=int-conversion \
              $(if $(filter 1,$(WERROR)),-Werror)
ARCH_FLAGS := $(if $(ON_ARM),$(if $(filter native,$(ARCH)),-mcpu=native),$(addprefix -march=,$(ARCH)))
OWN_CFLAGS := -std=c11 $(WARNINGS) $(ARCH_FLAGS) $(MODE_FLAGS) -pthread
OWN_CPP    := -D_GNU_SOURCE -Isrc -Iinclude
OWN_LD     := -pthread $(filter -fsanitize=address% -fsanitize=undefined -fsanitize=thread,$(MODE_FLAGS)) \
              $(if $(filter 1,$(STATIC))$(ON_WIN),-static) \
              $(if $(ON_WIN),-Wl$(comma)--no-insert-timestamp -Wl$(comma)--stack$(comma)8388608)
OWN_LIBS   := -lm $(if $(ON_WIN),-lwinmm -lws2_32)

# Kernels that are chosen at run time are compiled for more than the rest: FLAGS_<file name>.
ifneq ($(ON_X86),)
FLAGS_kernels_avx2   := -mavx2
FLAGS_kernels_avx512 := -mavx2 -mavx512f -mavx512bw -mavx512vl -mavx512dq
FLAGS_kernels_vnni   := $(FLAGS_kernels_avx512) -mavx512vnni
FLAGS_fkernels_avx2   := $(FLAGS_kernels_avx2) -Wno-psabi
FLAGS_fkernels_avx512 := $(FLAGS_kernels_avx512) -Wno-psabi
endif
ifneq ($(ON_ARM),)
# gcc 12 ends with an internal error where it would make vectors of a sum there.
FLAGS_test_trainer := -fno-tree-vectorize
endif

# ---- sources -----------------------------------------------------------------------------------

# The number of the shared library: another one where programs built for the one before may not run with it.
ABI        := 1
# What is there twice, for POSIX and for Windows.
OTHER_SYSTEM := proc system terminal
# A program is its main and what that needs of the archives: one for the engine with all its commands, one for the rest.
MAINS      := src/commands/main.c src/commands/komadori_kifu.c src/match/komadori_match.c src/csa/komadori_csa.c \
              src/train/trainmain.c
sources    = $(filter-out $(MAINS) src/base/startup_win.c $(OTHER_SYSTEM:%=src/base/%_$(if $(ON_WIN),posix,win).c), \
               $(sort $(foreach layer,$(1),$(wildcard src/$(layer)/*.c))))
LIB_SRC    := $(call sources,base rules record mate eval search book engine train web commands)
PARTS_SRC  := $(call sources,api play match csa)
# They use pipes, signals, processes or temporary folders as only POSIX has them.
POSIX_TESTS := tests/usi/% tests/unit/test_base.c tests/unit/test_bookgames.c tests/unit/test_bookio.c tests/unit/test_fileio.c \
               tests/unit/test_gamerun.c tests/unit/test_games.c tests/unit/test_analysis_search.c \
               tests/unit/test_input.c tests/unit/test_journal.c \
               tests/unit/test_kifuio.c tests/unit/test_outguard.c tests/unit/test_output.c tests/unit/test_proc.c tests/unit/test_unit.c
TEST_SRC   := $(sort $(filter-out tests/api/% $(if $(ON_WIN),$(POSIX_TESTS)),$(wildcard tests/*/test_*.c)))
API_SRC    := $(sort $(wildcard tests/api/*.c))
FUZZ_SRC   := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FAKE_SRC   := $(sort $(wildcard tests/match/fake*.c))
SOURCES    := $(LIB_SRC) $(PARTS_SRC) $(MAINS)

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# Linked into each program of Windows.
STARTUP  := $(if $(ON_WIN),$(call obj,src/base/startup_win.c src/base/windows.c))

LIB      := $(BUILD)/libcore.a
BENCH_OBJ := $(BUILD)/obj/bench_positions.o
# The installed library: what the public API needs, for any processor of the architecture, with no symbols
# but kmd_*. As an archive of one object, and where the system has ELF as a shared library too.
PUBLIC   := $(BUILD)/libkomadori.a
PUBLIC_SRC := $(call sources,base rules record mate web api)
ifneq ($(ON_ELF),)
SHARED   := $(BUILD)/libkomadori.so
PLAIN_CFLAGS := -std=c11 $(WARNINGS) $(MODE_FLAGS) -pthread -fPIC -fvisibility=hidden
endif
PARTS    := $(BUILD)/libparts.a
NAMES    := komadori komadori-match komadori-csa komadori-train komadori-kifu
PROGRAMS := $(NAMES:%=$(BUILD)/%$(EXT))
UNITS    := $(patsubst tests/%.c,$(BUILD)/%$(EXT),$(TEST_SRC))
FUZZERS  := $(patsubst tests/%.c,$(BUILD)/%$(EXT),$(FUZZ_SRC))
API_C    := $(patsubst tests/%.c,$(BUILD)/%$(EXT),$(API_SRC))
API_CXX  := $(if $(shell command -v $(CXX)),$(patsubst tests/%.c,$(BUILD)/%-cxx$(EXT),$(API_SRC)))
FAKES    := $(patsubst tests/%.c,$(BUILD)/%$(EXT),$(FAKE_SRC))
TESTS    := $(UNITS) $(FUZZERS) $(API_C) $(API_CXX) $(FAKES)

# ---- targets -----------------------------------------------------------------------------------

.PHONY: all help links programs library units api tests variants run \
        test test-long test-all test-list \
        syntax manuals bench-check fuzz fuzzers format \
        install uninstall release archive clean debug asan ubsan tsan FORCE
.SECONDARY:
.DELETE_ON_ERROR:

# A farm asks for the engine alone, at a place of its own.
ifeq ($(origin EXE),command line)
all: $(BUILD)/komadori$(EXT)
	cp $< '$(EXE)$(filter-out $(suffix $(EXE)),$(EXT))'
else
all: programs links
endif

help:
	$(info $(HELP))
	@:

debug asan ubsan tsan:
	$(MAKE) MODE=$@ all

programs: $(PROGRAMS)

library: $(PUBLIC) $(SHARED)

units: $(UNITS)

api: $(API_C)

tests: $(TESTS)

# Only the plain build owns the links at the top level.
ifeq ($(MODE)$(CROSS)$(DESTDIR) $(origin BUILD),release file)
link_here = @for name in $(1); do ln -sf $(BUILD)/$$name$(EXT) $$name$(EXT); done
endif

links: $(PROGRAMS)
	$(call link_here,$(NAMES))

run: $(BUILD)/komadori$(EXT)
	$(call link_here,komadori)
	@echo 'Komadori waits for USI commands, such as usi or go; to leave, type quit and Enter.'
	@exec $(BUILD)/komadori$(EXT)

TEST_ENV := BUILD=$(BUILD) MODE=$(MODE) CC='$(CC)' CXX='$(CXX)' ONLY='$(ONLY)' \
            $(if $(FULL),KOMADORI_TEST_FULL=1) $(if $(CLIENTS),KOMADORI_TEST_CLIENTS=1) \
            $(if $(TIMING),KOMADORI_TEST_TIMING=1)

# $(call run_tests,WHICH) builds what the chosen tests need, and runs them.
define run_tests
+@goals=$$($(TEST_ENV) TESTS=$(1) sh tests/run.sh --goals) && $(MAKE) --no-print-directory $$goals
@$(TEST_ENV) TESTS=$(1) sh tests/run.sh
endef

test:
	$(call run_tests,quick)

test-long:
	$(call run_tests,long)

test-all:
	$(call run_tests,all)

test-list:
	@$(TEST_ENV) TESTS=all sh tests/run.sh --list

# Those for ARM and Windows with their unit tests, which `make test` runs by qemu and wine.
variants:
	+@MAKE='$(MAKE)' sh tests/variants.sh

manuals: all
	@for name in $(NAMES); do BUILD=$(BUILD) sh tests/release/manual.sh $$name >docs/man/$$name.1.new && \
	    mv docs/man/$$name.1.new docs/man/$$name.1 || exit 1; done
	@BUILD=$(BUILD) sh tests/release/manual.sh usi.md >docs/usi.md.new && mv docs/usi.md.new docs/usi.md

bench-check: all
	@BUILD=$(BUILD) sh tests/bench.sh --strict

fuzz:
	$(MAKE) MODE=fuzz CC=clang fuzzers
	@FUZZ_SECONDS=$(FUZZ_SECONDS) BUILD=build/fuzz-$(ARCH) sh tests/fuzz/fuzz.sh

fuzzers: $(FUZZERS)

format:
	clang-format -i $(wildcard src/*/*.[ch] include/*/*.h tests/*/*.[ch])

# ---- rules -------------------------------------------------------------------------------------

# A stamp is touched only when its text changes, so that other flags or a file that went away cause
# the work they must, and nothing else does.
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.new; \
        if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# $(call show,WHAT,FILE) stands for the command unless V=1.
ifeq ($(V),1)
Q    :=
show :=
else
Q    := @
show = @printf '%-5s %s\n' '$(1)' '$(2)'
endif

COMPILE := $(CC) $(OWN_CPP) $(CPPFLAGS) $(OWN_CFLAGS) $(CFLAGS)
LINK    := $(CC) $(OWN_CFLAGS) $(CFLAGS) $(OWN_LD) $(LDFLAGS)
CC_IS   := $(shell $(CC) --version 2>/dev/null | head -n 1)

$(BUILD)/flags: FORCE
	$(call stamp,$(COMPILE) $(CC_IS) $(foreach name,$(filter FLAGS_%,$(.VARIABLES)),$($(name))))

$(BUILD)/network: FORCE
	$(call stamp,$(EVALFILE))

$(BUILD)/parts: FORCE
	$(call stamp,$(LINK) $(OWN_LIBS) $(LDLIBS) $(SOURCES) $(AR))

# Before all else, and without libc's headers, which may be missing for such a machine.
$(BUILD)/target: src/base/base.h $(BUILD)/flags
	$(Q)$(COMPILE) -E -Wfatal-errors -x c $< -o $@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(BUILD)/target
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q)$(COMPILE) $(EMBEDS) $(FLAGS_$(basename $(notdir $<))) -MMD -MP -c $< -o $@

# Native builds include more than they ask for: <immintrin.h> alone declares all of <stdlib.h>. What a
# file forgets is found by reading it for other processors, which takes seconds (make ARCH=x86-64-v2 syntax).
SYNTAX_C := $(SOURCES) $(TEST_SRC) $(FUZZ_SRC) $(if $(ON_WIN),,$(FAKE_SRC)) tests/unit/unit.c \
            tests/fuzz/replay.c
SYNTAX_H := $(filter-out $(if $(ON_WIN),tests/usi/%),$(sort $(wildcard src/*/*.h \
              include/komadori/*.h tests/*/*.h)))
SYNTAX   := $(patsubst %,$(BUILD)/syntax/%,$(SYNTAX_C) $(SYNTAX_H))

syntax: $(SYNTAX)

$(BUILD)/syntax/%.c: %.c $(BUILD)/flags | $(BUILD)/target
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(EMBEDS) $(FLAGS_$(basename $(notdir $<))) -MMD -MP -MF $@.d -MT $@ -fsyntax-only $<
	@touch $@

# As the only include of a file, in which nobody calls its static functions.
$(BUILD)/syntax/%.h: %.h $(BUILD)/flags | $(BUILD)/target
	@mkdir -p $(@D)
	$(Q)printf '#include "%s"\nextern int nothing;\n' $< | \
	    $(COMPILE) -I. -Wno-unused-function -MMD -MP -MF $@.d -MT $@ -fsyntax-only -x c -
	@touch $@

# The network and the opening book inside the program.
$(BUILD)/obj/src/engine/evalfile.o $(BUILD)/syntax/src/engine/evalfile.c: EMBEDS := -DKMD_EVALFILE='"$(EVALFILE)"'
$(BUILD)/obj/src/engine/evalfile.o: $(EVALFILE) $(BUILD)/network
$(BUILD)/obj/src/book/bookread.o: eval/komadori.book
$(BUILD)/obj/src/web/page.o $(BUILD)/pic/src/web/page.o: $(wildcard src/web/*.html src/web/*.css src/web/*.js)

$(LIB): $(call obj,$(LIB_SRC)) $(BENCH_OBJ) $(BUILD)/parts
	@rm -f $@
	$(call show,AR,$@)
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

ifneq ($(ON_ELF),)
pic = $(patsubst %.c,$(BUILD)/pic/%.o,$(1))

$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call show,CC,$< (library))
	$(Q)$(CC) $(OWN_CPP) $(CPPFLAGS) $(PLAIN_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/pic/library.a: $(call pic,$(PUBLIC_SRC)) $(BUILD)/parts
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# One object of what the API calls, in which all but kmd_* is local.
$(BUILD)/pic/komadori.o: $(BUILD)/pic/library.a
	$(call show,LD,$@)
	$(Q)$(CC) -r -nostdlib $(filter %.o,$(call pic,$(filter src/api/%,$(PUBLIC_SRC)))) $< -o $(@D)/whole.o
	$(Q)$(CROSS)objcopy -w --keep-global-symbol='kmd_*' $(@D)/whole.o $@

$(PUBLIC): $(BUILD)/pic/komadori.o
	@rm -f $@
	$(call show,AR,$@)
	$(Q)$(AR) rcs $@ $<

$(SHARED): $(BUILD)/pic/komadori.o
	$(call show,LINK,$@)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,libkomadori.so.$(ABI) $(filter-out -static,$(OWN_LD)) $(LDFLAGS) $< $(OWN_LIBS) \
	    $(LDLIBS) -o $@
else
$(PUBLIC): $(call obj,$(PUBLIC_SRC)) $(BUILD)/parts
	@rm -f $@
	$(call show,AR,$@)
	$(Q)$(AR) rcs $@ $(filter %.o,$^)
endif

# The positions of `komadori bench`, one string a line.
$(BENCH_OBJ): bench/positions.sfen src/commands/commands.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q){ echo '#include "commands/commands.h"'; \
	    echo 'const char *const bench_positions[] = {'; \
	    sed -n 's/^[^#].*/"&",/p' $<; echo '(const char *)0};'; } | $(COMPILE) -x c -c - -o $@

$(PARTS): $(call obj,$(PARTS_SRC)) $(BUILD)/parts
	@rm -f $@
	$(call show,AR,$@)
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/obj/%.o: %.rc %.manifest
	@mkdir -p $(@D)
	$(call show,RES,$<)
	$(Q)$(WINDRES) -I$(<D) $< $@

define link
@mkdir -p $(@D)
$(call show,LINK,$@)
$(Q)$(LINK) $(ENTRY_LD) $(filter %.o %.a,$^) $(OWN_LIBS) $(LDLIBS) -o $@
endef

$(PROGRAMS) $(UNITS) $(FUZZERS) $(FAKES): $(STARTUP)

$(BUILD)/komadori$(EXT): $(call obj,src/commands/main.c) $(LIB) $(BUILD)/parts
	$(link)

$(BUILD)/komadori-kifu$(EXT): $(call obj,src/commands/komadori_kifu.c) $(LIB) $(BUILD)/parts
	$(link)

$(BUILD)/komadori-train$(EXT): $(call obj,src/train/trainmain.c) $(LIB) $(BUILD)/parts
	$(link)

$(BUILD)/komadori-match$(EXT): $(call obj,src/match/komadori_match.c) $(PARTS) $(LIB) $(BUILD)/parts
	$(link)

# The client is never static: the C library looks up host names with parts of the system that must be its own.
ifeq ($(ON_WIN),)
$(BUILD)/komadori-csa$(EXT): private LINK := $(filter-out -static,$(LINK))
endif
$(BUILD)/komadori-csa$(EXT): $(call obj,src/csa/komadori_csa.c) $(PARTS) $(LIB) $(BUILD)/parts
	$(link)

$(UNITS): $(BUILD)/%$(EXT): $(BUILD)/obj/tests/%.o $(BUILD)/obj/tests/unit/unit.o $(PARTS) $(LIB) \
          $(BUILD)/parts
	$(link)

# Programs that tests start: players for the tournament runner.
$(FAKES): $(BUILD)/%$(EXT): $(BUILD)/obj/tests/%.o $(LIB) $(BUILD)/parts
	$(link)

# A fuzz entry is linked with libFuzzer, or else with a driver that replays its corpus.
ifeq ($(MODE),fuzz)
$(FUZZERS): ENTRY_LD := -fsanitize=fuzzer
FUZZ_MAIN :=
else
FUZZ_MAIN := $(BUILD)/obj/tests/fuzz/replay.o
endif
$(FUZZERS): $(BUILD)/%$(EXT): $(BUILD)/obj/tests/%.o $(FUZZ_MAIN) $(PARTS) $(LIB) $(BUILD)/parts
	$(link)

# The tests of the public headers see include/ only, once as C and once as C++.
API_FLAGS := -Iinclude $(CPPFLAGS) -Wall -Wextra -Wpedantic $(if $(filter 1,$(WERROR)),-Werror) \
             $(ARCH_FLAGS) $(MODE_FLAGS) -pthread $(CFLAGS)
API_HEADERS := $(wildcard include/komadori/*.h)

$(API_C): $(BUILD)/%$(EXT): tests/%.c $(API_HEADERS) $(PUBLIC) $(BUILD)/flags $(BUILD)/parts
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q)$(CC) -std=c11 $(API_FLAGS) $(OWN_LD) $(LDFLAGS) $< $(PUBLIC) $(OWN_LIBS) $(LDLIBS) -o $@

$(API_CXX): $(BUILD)/%-cxx$(EXT): tests/%.c $(API_HEADERS) $(PUBLIC) $(BUILD)/flags $(BUILD)/parts
	@mkdir -p $(@D)
	$(call show,CXX,$<)
	$(Q)$(CXX) -std=c++17 $(API_FLAGS) $(OWN_LD) $(LDFLAGS) -x c++ $< -x none $(PUBLIC) $(OWN_LIBS) \
	    $(LDLIBS) -o $@

# ---- release -----------------------------------------------------------------------------------

VERSION := $(or $(shell sed -n 's/^\#define KMD_VERSION  *"\(.*\)"/\1/p' include/komadori/version.h 2>/dev/null),0.0.0)
SYSTEM  := $(or $(if $(ON_WIN),windows),$(findstring linux,$(TARGET)),$(lastword $(subst -, ,$(TARGET))))
PACKAGE := komadori-$(VERSION)-$(SYSTEM)-$(firstword $(subst -, ,$(TARGET)))
EPOCH   := $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),315532800)

# The first also runs on older machines, and its evaluation uses what newer ones have.
RELEASE_ARCHS ?= $(PORTABLE) $(if $(ON_X86),x86-64-v3 x86-64-v4)
RELEASE_BUILD := build/archive-$(SYSTEM)
RELEASE_DOCS  := README.md LICENSE docs

release:
	$(foreach each,$(RELEASE_ARCHS),$(MAKE) MODE=release ARCH=$(each) STATIC=1 \
	    LDFLAGS='$(LDFLAGS) -s' BUILD=$(RELEASE_BUILD)-$(each) programs &&) :
	$(MAKE) archive

# The same sources, compiler and SOURCE_DATE_EPOCH (else: time of the last commit) give the same
# bytes: nothing in the archive tells who packed it when, or in which order the files lay.
archive:
	rm -rf dist/$(PACKAGE) dist/$(PACKAGE).*
	mkdir -p dist/$(PACKAGE)
	cp -R $(NAMES:%=$(RELEASE_BUILD)-$(firstword $(RELEASE_ARCHS))/%$(EXT)) $(RELEASE_DOCS) dist/$(PACKAGE)
	mkdir dist/$(PACKAGE)/bench && cp bench/*.sfen bench/README.md dist/$(PACKAGE)/bench
	mkdir dist/$(PACKAGE)/eval && cp eval/README.md dist/$(PACKAGE)/eval
	$(foreach each,$(wordlist 2,9,$(RELEASE_ARCHS)),cp $(RELEASE_BUILD)-$(each)/komadori$(EXT) \
	    dist/$(PACKAGE)/komadori-$(lastword $(subst -, ,$(each)))$(EXT) &&) :
	sed -i 's/@VERSION@/$(VERSION)/' dist/$(PACKAGE)/docs/man/*.1
	cd dist/$(PACKAGE) && find * -type f | LC_ALL=C sort | xargs sha256sum >../SHA256SUMS.new
	mv dist/SHA256SUMS.new dist/$(PACKAGE)/SHA256SUMS
	chmod -R u=rwX,go=rX dist/$(PACKAGE)
	find dist/$(PACKAGE) -exec touch -d @$(EPOCH) {} +
ifneq ($(ON_WIN),)
	cd dist && find $(PACKAGE) -type f | LC_ALL=C sort | TZ=UTC zip -9 -X -q -@ $(PACKAGE).zip
else
	tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	    -C dist -cf - $(PACKAGE) | gzip -9n >dist/$(PACKAGE).tar.gz
endif
	cd dist && LC_ALL=C sha256sum $(PACKAGE).*[pz] >$(PACKAGE).sha256

# ---- install -----------------------------------------------------------------------------------

# As the GNU standards have them: each can be set, and DESTDIR goes before all of them.
BINDIR     := $(PREFIX)/bin
LIBDIR     := $(PREFIX)/lib
INCLUDEDIR := $(PREFIX)/include
DATADIR    := $(PREFIX)/share
MANDIR     := $(DATADIR)/man
DOCDIR     := $(DATADIR)/doc/komadori

# Where the files go now.
TO_BIN  := $(DESTDIR)$(BINDIR)
TO_LIB  := $(DESTDIR)$(LIBDIR)
TO_INC  := $(DESTDIR)$(INCLUDEDIR)/komadori
TO_MAN  := $(DESTDIR)$(MANDIR)/man1
TO_DOC  := $(DESTDIR)$(DOCDIR)
MANUALS := $(sort $(wildcard docs/man/*.1))
PAGES   := LICENSE README.md $(sort $(wildcard docs/*.md))
PICTURES := $(sort $(wildcard docs/*.svg))
BENCHES := $(sort $(wildcard bench/*.sfen))
RECIPES := bench/README.md eval/README.md
# The pages of docs/ and README.md lie in one folder when installed, bench/ and eval/ below it.
RELINK  := -e 's:](docs/:](:g' -e 's:src="docs/:src=":g' -e 's:](\.\./docs/:](../@:g' \
           -e 's:](\.\./\([^@]\):](\1:g' -e 's:](\.\./@:](../:g'
EXAMPLES := $(sort $(wildcard docs/examples/*))

define PKGCONFIG
prefix=$(PREFIX)
libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))
includedir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(INCLUDEDIR))
Name: komadori
Description: Shogi: rules, mate search, game records (KIF, KI2, CSA, JKF, USI), diagrams; no playing engine, which is the program komadori
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lkomadori $(if $(SHARED),,$(OWN_LIBS) -pthread)
Libs.private: $(OWN_LIBS) -pthread
endef
export PKGCONFIG

# Everybody can read what is installed, whatever the umask; folders that are there stay as they are.
install: programs library
	umask 022 && mkdir -p "$(TO_BIN)" "$(TO_LIB)/pkgconfig" "$(TO_INC)" "$(TO_MAN)" "$(TO_DOC)/bench" \
	    "$(TO_DOC)/eval" "$(TO_DOC)/examples"
	install -m 755 $(PROGRAMS) "$(TO_BIN)/"
	install -m 644 $(PUBLIC) "$(TO_LIB)/"
ifneq ($(SHARED),)
	install -m 755 $(SHARED) "$(TO_LIB)/libkomadori.so.$(ABI)"
	ln -sf libkomadori.so.$(ABI) "$(TO_LIB)/libkomadori.so"
endif
	install -m 644 $(API_HEADERS) "$(TO_INC)/"
	umask 022 && printf '%s\n' "$$PKGCONFIG" >"$(TO_LIB)/pkgconfig/komadori.pc"
	umask 022 && for page in $(MANUALS); do \
	    sed 's/@VERSION@/$(VERSION)/' $$page >"$(TO_MAN)/$${page##*/}" || exit 1; done
	umask 022 && for page in $(PAGES) $(RECIPES); do \
	    sed $(RELINK) $$page >"$(TO_DOC)/$${page#docs/}" || exit 1; done
	install -m 644 $(PICTURES) "$(TO_DOC)/"
	install -m 644 $(BENCHES) "$(TO_DOC)/bench/"
	install -m 644 $(EXAMPLES) "$(TO_DOC)/examples/"

uninstall:
	for name in $(NAMES); do rm -f "$(TO_BIN)/$$name$(EXT)" || exit 1; done
	for page in $(notdir $(MANUALS)); do rm -f "$(TO_MAN)/$$page" || exit 1; done
	for page in $(notdir $(PAGES) $(PICTURES)) $(BENCHES) $(RECIPES); do rm -f "$(TO_DOC)/$$page" || exit 1; done
	for header in $(notdir $(API_HEADERS)); do rm -f "$(TO_INC)/$$header" || exit 1; done
	rm -f "$(TO_LIB)/libkomadori.a" "$(TO_LIB)/libkomadori.so" \
	    "$(TO_LIB)/libkomadori.so.$(ABI)" "$(TO_LIB)/pkgconfig/komadori.pc"
	for page in $(notdir $(EXAMPLES)); do rm -f "$(TO_DOC)/examples/$$page" || exit 1; done
	-rmdir "$(TO_INC)" "$(TO_DOC)/bench" "$(TO_DOC)/eval" "$(TO_DOC)/examples" "$(TO_DOC)"

clean:
	rm -rf build $(NAMES)

-include $(SYNTAX:%=%.d) $(patsubst %.o,%.d,$(call obj,$(SOURCES) $(TEST_SRC) $(FUZZ_SRC) $(FAKE_SRC) tests/unit/unit.c \
    tests/fuzz/replay.c)) $(patsubst %.c,$(BUILD)/pic/%.d,$(if $(ON_ELF),$(PUBLIC_SRC)))
