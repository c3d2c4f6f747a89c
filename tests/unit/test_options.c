/* Tests the table of options: defaults, names and ranges. */
#include "engine/options.h"

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "rules/declare.h"
#include "search/search.h"
#include "unit.h"

static const char *value_of(const EngineOptions *options, const char *name) {
    static StrBuf text;
    strbuf_clear(&text);
    strbuf_add_str(&text, "");
    const ArgOption *option = options_find(sv_from(name));
    if (option != NULL) {
        cmdline_add_value(option, options, &text);
    }
    return text.ptr != NULL ? text.ptr : "";
}

static StrBuf fault; /* error message for the last rejected value */

static OptionStatus set(EngineOptions *options, const char *name, const char *value) {
    strbuf_clear(&fault);
    return options_set(options, sv_from(name), sv_from(value), &fault);
}

static void table_is_fit_for_clients(void) {
    const ArgOption *option;
    int count = 0;
    for (; (option = options_at(count)) != NULL; count++) {
        CHECK(strchr(option->name, ' ') == NULL);
        CHECK(options_find(sv_from(option->name)) == option);
        if (option->kind == ARG_INT) {
            CHECK(option->low <= option->start && option->start <= option->high);
        }
        for (int i = 0; option->kind == ARG_CHOICE && cmdline_choice(option, i).len > 0; i++) {
            CHECK(!sv_has_byte(cmdline_choice(option, i), ' '));
        }
    }
    CHECK(count > 40);
}

static void defaults(void) {
    EngineOptions options;
    options_init(&options);
    CHECK_STR(value_of(&options, "USI_Hash"), "256");
    CHECK(options.threads >= 1 && options.threads <= 4);
    CHECK_INT(options.threads, int_min(cpu_cores(), 4));
    CHECK_INT(options.search.multi_pv, 1);
    CHECK(options.book.usi_own_book && !options.search.time.usi_ponder);
    CHECK_STR(value_of(&options, "BookFile"), "<default>");
    CHECK_STR(value_of(&options, "USI_Ponder"), "false");
    CHECK_STR(value_of(&options, "EnteringKingRule"), "CSARule27");
    CHECK_STR(value_of(&options, "ResignValue"), "99999");
    CHECK_STR(value_of(&options, "DebugLogFile"), "");
    options_free(&options);
}

static void names_without_case_and_aliases(void) {
    EngineOptions options;
    options_init(&options);
    CHECK_INT(set(&options, "usi_hash", "33"), OPTION_OK);
    CHECK_INT(options.usi_hash, 33);
    CHECK_INT(set(&options, "Hash", "34"), OPTION_OK);
    CHECK_INT(options.usi_hash, 34);
    CHECK_INT(set(&options, "USI_MultiPV", "7"), OPTION_OK);
    CHECK_INT(options.search.multi_pv, 7);
    CHECK_INT(set(&options, "NumberOfThreads", "3"), OPTION_OK);
    CHECK_INT(options.threads, 3);
    CHECK_INT(set(&options, "USI_SkillLevel", "2"), OPTION_OK);
    CHECK_INT(options.skill_level, 2);
    CHECK_INT(set(&options, "Resign", "500"), OPTION_OK);
    CHECK_INT(options.search.resign_value, 500);
    CHECK_INT(set(&options, "USI_Has", "34"), OPTION_UNKNOWN);
    CHECK_INT(set(&options, "Skill Level", "5"), OPTION_OK);
    CHECK_INT(options.skill_level, 5);
    CHECK_INT(set(&options, "usi  hash", "35"), OPTION_OK);
    CHECK_INT(options.usi_hash, 35);
    CHECK_INT(set(&options, "Skill", "5"), OPTION_UNKNOWN);
    CHECK_INT(set(&options, "Skill Level x", "5"), OPTION_UNKNOWN);
    CHECK_INT(set(&options, "SkillLeve l", "6"), OPTION_OK);
    CHECK_INT(set(&options, " ", "5"), OPTION_UNKNOWN);
    CHECK_INT(set(&options, "USI_Strength", "-14"), OPTION_OK);
    CHECK_INT(options.usi_elo, 1125);
    CHECK_INT(set(&options, "USI Strength", "dan"), OPTION_BAD_VALUE);
    CHECK_INT(set(&options, "", "34"), OPTION_UNKNOWN);
    options_free(&options);
}

static void bad_values_change_nothing(void) {
    EngineOptions options;
    options_init(&options);
    static const char *const bad_numbers[] = {
        "", "0", "-1", "513", "1e2", "two", "4 4", "0x4", "99999999999999999999"};
    for (size_t i = 0; i < COUNTOF(bad_numbers); i++) {
        CHECK_INT(set(&options, "Threads", bad_numbers[i]), OPTION_BAD_VALUE);
    }
    CHECK_STR(fault.ptr, "Threads needs a whole number from 1 to 512, not '99999999999999999999'");
    CHECK_INT(options_set(&options, SV("Threads"), SV("2\0003"), &fault), OPTION_BAD_VALUE);
    CHECK_INT(options.threads, int_min(cpu_cores(), 4));
    static const char *const bad_checks[] = {"", "1", "yes", "truee", "true false"};
    for (size_t i = 0; i < COUNTOF(bad_checks); i++) {
        CHECK_INT(set(&options, "USI_Ponder", bad_checks[i]), OPTION_BAD_VALUE);
    }
    CHECK_STR(fault.ptr, "USI_Ponder needs true|false, not 'true false'");
    CHECK_INT(options.search.time.usi_ponder, 0);
    CHECK_INT(set(&options, "EnteringKingRule", "CSARule"), OPTION_BAD_VALUE);
    CHECK_STR(value_of(&options, "EnteringKingRule"), "CSARule27");
    CHECK_INT(set(&options, "USI_Ponder", "TRUE"), OPTION_OK);
    CHECK_INT(options.search.time.usi_ponder, 1);
    options_free(&options);
}

static const char *accept_short(void *context, const char *path) {
    *(int *)context += 1;
    return strlen(path) > 9 ? "too long" : NULL;
}

static void texts_and_files(void) {
    EngineOptions options;
    int asked = 0;
    options_init(&options);
    CHECK_INT(set(&options, "BookDir", "/a path/with blanks"), OPTION_OK);
    CHECK_STR(value_of(&options, "BookDir"), "/a path/with blanks");
    CHECK_INT(set(&options, "BookDir", ""), OPTION_OK);
    CHECK_STR(value_of(&options, "BookDir"), "");
    CHECK_INT(set(&options, "DebugLogFile", "/a path/with blanks.txt"), OPTION_OK);
    CHECK_STR(value_of(&options, "DebugLogFile"), "/a path/with blanks.txt");
    options.debug_log_file.accept = accept_short;
    options.debug_log_file.context = &asked;
    CHECK_INT(set(&options, "DebugLogFile", "/a path.log"), OPTION_BAD_FILE);
    CHECK_STR(fault.ptr, "DebugLogFile: too long '/a path.log'");
    CHECK_STR(value_of(&options, "DebugLogFile"), "/a path/with blanks.txt");
    CHECK_INT(set(&options, "DebugLogFile", "/a.log"), OPTION_OK);
    CHECK_STR(value_of(&options, "DebugLogFile"), "/a.log");
    CHECK_INT(asked, 2);
    options_free(&options);
}

/* "Copy as path" of Windows puts quotes around a path. */
static void paths_in_quotes(void) {
    EngineOptions options;
    int count = 0;
    options_init(&options);
    const ArgOption *option;
    for (int i = 0; (option = options_at(i)) != NULL; i++) {
        if (option->kind == ARG_FILE || option->kind == ARG_STRING) {
            CHECK_INT(set(&options, option->name, "\"C:\\my books\""), OPTION_OK);
            CHECK_STR(value_of(&options, option->name), "C:\\my books");
            CHECK_INT(set(&options, option->name, "\""), OPTION_OK);
            CHECK_STR(value_of(&options, option->name), "\"");
            count++;
        }
    }
    CHECK(count >= 5);
    options_free(&options);
}

static void entering_king_names_are_the_rules(void) {
    EngineOptions options;
    options_init(&options);
    const ArgOption *option = options_find(SV("EnteringKingRule"));
    for (int rule = 0; rule < KMD_DECLARE_COUNT; rule++) {
        CHECK(sv_equal(cmdline_choice(option, rule), sv_from(declare_rule_name(rule))));
        CHECK_INT(set(&options, "EnteringKingRule", declare_rule_name(rule)), OPTION_OK);
        SearchOptions search;
        options_for_search(&options, &search);
        CHECK_INT(search.entering_king_rule, rule);
    }
    CHECK(cmdline_choice(option, KMD_DECLARE_COUNT).len == 0);
    options_free(&options);
}

/* Each option reaches the right member. */
static void options_reach_the_search(void) {
    static const char *const values[][2] = {{"NetworkDelay", "11"},
                                            {"NetworkDelay2", "12"},
                                            {"MinimumThinkingTime", "13"},
                                            {"SlowMover", "14"},
                                            {"RoundUpToFullSecond", "true"},
                                            {"USI_Ponder", "true"},
                                            {"OutputFailLHPV", "true"},
                                            {"GenerateAllLegalMoves", "true"},
                                            {"USI_LimitStrength", "true"},
                                            {"USI_Elo", "1500"},
                                            {"DrawValueWhite", "15"},
                                            {"MaxMovesToDraw", "16"},
                                            {"PvInterval", "17"},
                                            {"DepthLimit", "18"},
                                            {"NodesLimit", "19"},
                                            {"MultiPV", "20"}};
    EngineOptions options;
    SearchOptions search;
    options_init(&options);
    options_for_search(&options, &search);
    CHECK(!search.skill.is_limited && !search.output_fail_lhpv && !search.generate_all_legal_moves);
    CHECK(!search.time.round_up_to_full_second && !search.time.usi_ponder);
    for (size_t i = 0; i < COUNTOF(values); i++) {
        CHECK_INT(set(&options, values[i][0], values[i][1]), OPTION_OK);
    }
    options_for_search(&options, &search);
    CHECK_INT(search.time.network_delay, 11);
    CHECK_INT(search.time.network_delay2, 12);
    CHECK_INT(search.time.minimum_thinking_time, 13);
    CHECK_INT(search.time.slow_mover, 14);
    CHECK(search.time.round_up_to_full_second && search.time.usi_ponder);
    CHECK(search.output_fail_lhpv && search.generate_all_legal_moves);
    CHECK_INT(search.draw_value[WHITE], 15);
    CHECK_INT(search.draw_value[BLACK], 0);
    CHECK_INT(search.max_moves_to_draw, 16);
    CHECK_INT(search.pv_interval, 17);
    CHECK_INT(search.depth_limit, 18);
    CHECK_INT((int64_t)search.nodes_limit, 19);
    CHECK_INT(search.multi_pv, 20);
    CHECK(search.skill.is_limited);
    CHECK_INT(search.skill.noise, 170); /* level 8 */
    CHECK_INT(set(&options, "Contempt", "25"), OPTION_OK);
    options_for_search(&options, &search);
    CHECK_INT(search.draw_value[WHITE], -10);
    CHECK_INT(search.draw_value[BLACK], -25);
    CHECK_INT(set(&options, "DrawValueBlack", "-30000"), OPTION_OK);
    options_for_search(&options, &search);
    CHECK_INT(search.draw_value[BLACK], -30000);
    CHECK_INT(set(&options, "USI_AnalyseMode", "true"), OPTION_OK);
    options_for_search(&options, &search);
    CHECK(!search.skill.is_limited);
    CHECK_INT(search.draw_value[WHITE], 0);
    options_free(&options);
}

static void analysis_is_unbiased(void) {
    EngineOptions options;
    SearchOptions search;
    options_init(&options);
    CHECK_INT(set(&options, "DrawValueBlack", "-100"), OPTION_OK);
    CHECK_INT(set(&options, "ResignValue", "100"), OPTION_OK);
    options_for_search(&options, &search);
    CHECK_INT(search.draw_value[BLACK], -100);
    CHECK_INT(search.resign_value, 100);
    CHECK_INT(set(&options, "ConsiderationMode", "true"), OPTION_OK);
    options_for_search(&options, &search);
    CHECK_INT(search.draw_value[BLACK], 0);
    CHECK_INT(search.resign_value, 99999);
    options_free(&options);
}

/* The limits of a search with this option. */
static Skill skill_with(const char *name, const char *value) {
    EngineOptions options;
    SearchOptions search;
    options_init(&options);
    CHECK_INT(set(&options, "USI_LimitStrength", "true"), OPTION_OK);
    if (strcmp(name, "SkillLevel") == 0) {
        CHECK_INT(set(&options, "USI_LimitStrength", "false"), OPTION_OK);
    }
    CHECK_INT(set(&options, name, value), OPTION_OK);
    options_for_search(&options, &search);
    options_free(&options);
    return search.skill;
}

static Skill skill_of(int level) {
    char value[16];
    snprintf(value, sizeof(value), "%d", level);
    return skill_with("SkillLevel", value);
}

/* Each level is stronger than the one below it. */
static void levels_grow(void) {
    CHECK(!skill_of(20).is_limited);
    for (int level = 0; level < 20; level++) {
        Skill skill = skill_of(level);
        CHECK(skill.is_limited && skill.lines >= 1);
        CHECK(skill.depth > 0 || skill.nodes > 0);
        if (level > 0) {
            Skill below = skill_of(level - 1);
            bool is_deeper = skill.depth > below.depth || skill.nodes > below.nodes;
            CHECK(is_deeper || (skill.noise < below.noise && skill.lines <= below.lines));
            CHECK(skill.depth == 0 || below.depth <= skill.depth);
            CHECK(skill.depth > 0 || below.depth > 0 || skill.nodes > below.nodes);
        }
    }
}

/* Ratings and ranks select the levels that docs/usi.md (Strength) compares with them. */
static void ratings_and_ranks(void) {
    static const struct {
        const char *name, *value;
        int level;
    } cases[] = {{"USI_Elo", "500", 0},      {"USI_Elo", "1500", 8},     {"USI_Elo", "3000", 20},
                 {"USI_Strength", "-30", 0}, {"USI_Strength", "-21", 0}, {"USI_Strength", "-20", 1},
                 {"USI_Strength", "-14", 5}, {"USI_Strength", "-13", 6}, {"USI_Strength", "-9", 8},
                 {"USI_Strength", "-8", 9},  {"USI_Strength", "-3", 11}, {"USI_Strength", "-2", 12},
                 {"USI_Strength", "0", 12},  {"USI_Strength", "1", 13},  {"USI_Strength", "2", 14},
                 {"USI_Strength", "5", 17},  {"USI_Strength", "6", 18},  {"USI_Strength", "7", 19},
                 {"USI_Strength", "9", 20}};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Skill skill = skill_with(cases[i].name, cases[i].value), wanted = skill_of(cases[i].level);
        CHECK(skill.is_limited == wanted.is_limited && skill.noise == wanted.noise &&
              skill.nodes == wanted.nodes && skill.depth == wanted.depth);
    }
}

UNIT_MAIN({"levels grow", levels_grow}, {"ratings and ranks", ratings_and_ranks},
          {"options reach the search", options_reach_the_search},
          {"the table is fit for clients", table_is_fit_for_clients}, {"defaults", defaults},
          {"names without case, and aliases", names_without_case_and_aliases},
          {"bad values change nothing", bad_values_change_nothing},
          {"texts and files", texts_and_files}, {"paths in quotes", paths_in_quotes},
          {"the entering-king names are the rules' own", entering_king_names_are_the_rules},
          {"analysis is unbiased", analysis_is_unbiased})
