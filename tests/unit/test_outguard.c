/* Tests which outputs are refused, and in which words. */
#include "base/outguard.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "unit.h"

/* In the build folder, which is the working directory. */
#define PLACE "test_outguard"

static void expect(const OutFile *outputs, int count, const char *input, const char *want) {
    StrBuf why = STRBUF_INIT;
    Args inputs = {input != NULL, &input};
    CHECK(outguard_check(outputs, count, &inputs, &why) == (want[0] == '\0'));
    CHECK_STR(why.len > 0 ? why.ptr : "", want);
    strbuf_free(&why);
}

static void test_names(void) {
    CHECK_INT(chdir(unit_temp_path(".")), 0);
    OutFile two[] = {{.path = PLACE ".a"}, {.path = NULL}, {.path = "./" PLACE ".a"}};
    expect(two, 1, NULL, "");
    expect(two, 1, PLACE ".b", "");
    expect(two, 1, PLACE ".a", PLACE ".a: not overwritten: this is an input");
    expect(two, 3, NULL, "./" PLACE ".a: not overwritten: another output has this name");
    OutFile devices[] = {{.path = "/dev/null"}, {.path = "/dev/null"}};
    expect(devices, 2, "/dev/null", "");
    CHECK(outguard_is_clash(PLACE, PLACE) && !outguard_is_clash(NULL, PLACE));
}

static bool begins_small(StrView start) {
    return start.len > 0 && start.ptr[0] >= 'a' && start.ptr[0] <= 'z';
}

static void test_contents(void) {
    static const OutKind by_start = {"a list", "list", NULL},
                         by_call = {"small", NULL, begins_small};
    OutFile out = {.path = PLACE};
    CHECK_INT(file_write(PLACE, "List", 4), 0);
    expect(&out, 1, NULL, "");
    out.kind = &by_start;
    expect(&out, 1, NULL,
           PLACE ": not overwritten: it exists and is not a list; name another file");
    out.kind = &by_call;
    expect(&out, 1, NULL, PLACE ": not overwritten: it exists and is not small; name another file");
    CHECK_INT(file_write(PLACE, "list", 4), 0);
    expect(&out, 1, NULL, "");
    out.advice = "go on with it";
    expect(&out, 1, NULL, PLACE ": not overwritten: it exists; go on with it");
    CHECK_INT(file_write(PLACE, "", 0), 0);
    expect(&out, 1, NULL, "");
    CHECK_INT(remove(PLACE), 0);
    expect(&out, 1, NULL, "");
}

static void test_places(void) {
    OutFile out = {.path = "none/such/file"};
    expect(&out, 1, NULL, "none/such/file: its folder does not exist");
    out.is_opened_soon = true;
    expect(&out, 1, NULL, "");
    out = (OutFile){.path = "."};
    StrBuf why = STRBUF_INIT;
    CHECK(!outguard_check(&out, 1, NULL, &why));
    strbuf_free(&why);
}

UNIT_MAIN({"names", test_names}, {"contents", test_contents}, {"places", test_places})
