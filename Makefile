# Komadori: build, test, install. `make help` explains.
#
# Everything is built out of tree in build/MODE-ARCH/. CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS are the
# user's; the project's own flags are kept apart from them.

ARCH   ?= native
MODE   ?= release
CC     ?= cc
AR     ?= ar
CROSS  ?=
BUILD  := build/$(MODE)-$(ARCH)
ifneq ($(CROSS),)
CC     := $(CROSS)gcc
AR     := $(CROSS)ar
BUILD  := build/$(MODE)-$(CROSS)$(ARCH)
endif

MODE_release := -O3 -fno-plt
MODE_debug   := -O1 -g -DKMD_DEBUG
MODE_asan    := -O1 -g -DKMD_DEBUG -fsanitize=address -fno-omit-frame-pointer
MODE_ubsan   := -O1 -g -DKMD_DEBUG -fsanitize=undefined -fno-sanitize-recover=all
MODE_tsan    := -O1 -g -fsanitize=thread
MODE_FLAGS   := $(or $(MODE_$(MODE)),$(error unknown MODE $(MODE)))

WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
              -Wwrite-strings -Wundef -Wvla -Wno-unknown-warning-option -Werror
ARCH_FLAGS := $(if $(ARCH),-march=$(ARCH))
OWN_CFLAGS := -std=c11 $(WARNINGS) $(ARCH_FLAGS) $(MODE_FLAGS) -pthread
OWN_CPP    := -D_GNU_SOURCE -Isrc -Iinclude
OWN_LD     := -pthread $(filter -fsanitize=%,$(MODE_FLAGS))
OWN_LIBS   := -lm

LIB_LAYERS := base rules kifu mate nnue book search engine api
LIB_SRC    := $(foreach l,$(LIB_LAYERS),$(wildcard src/$(l)/*.c))
CMD_SRC    := $(wildcard src/usi/*.c src/cmd/*.c)
MAIN_SRC   := $(wildcard src/main/*.c)
MATCH_SRC  := $(wildcard src/tools/match/*.c)
TRAIN_SRC  := $(wildcard src/tools/train/*.c)
KIFU_SRC   := $(wildcard src/tools/kifu/*.c)
UNIT_SRC   := $(wildcard tests/unit/test_*.c)

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

LIB      := $(BUILD)/libkomadori.a
PROGRAMS := $(if $(MAIN_SRC),$(BUILD)/komadori) $(if $(MATCH_SRC),$(BUILD)/komadori-match) \
            $(if $(TRAIN_SRC),$(BUILD)/komadori-train) $(if $(KIFU_SRC),$(BUILD)/komadori-kifu)
UNITS    := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(UNIT_SRC))

.PHONY: all units clean
all: $(LIB) $(PROGRAMS)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(OWN_CPP) $(CPPFLAGS) $(OWN_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(LIB): $(call obj,$(LIB_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

link = $(CC) $(OWN_CFLAGS) $(CFLAGS) $(OWN_LD) $(LDFLAGS) $(filter %.o %.a,$^) $(OWN_LIBS) $(LDLIBS) -o $@

$(BUILD)/komadori: $(call obj,$(MAIN_SRC) $(CMD_SRC)) $(LIB)
	$(link)

$(BUILD)/komadori-match: $(call obj,$(MATCH_SRC)) $(LIB)
	$(link)

$(BUILD)/komadori-train: $(call obj,$(TRAIN_SRC)) $(LIB)
	$(link)

$(BUILD)/komadori-kifu: $(call obj,$(KIFU_SRC)) $(LIB)
	$(link)

units: $(UNITS)

$(BUILD)/unit/test_%: $(BUILD)/obj/tests/unit/test_%.o $(BUILD)/obj/tests/unit/unit.o $(LIB)
	@mkdir -p $(@D)
	$(link)

clean:
	rm -rf build dist komadori komadori-match komadori-kifu komadori-train

.SECONDARY:
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
