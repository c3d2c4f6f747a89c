/* Templates and their placeholders. */
#include "web/page.h"

#include "unit.h"

static void check_filled(const char *template, const char *want) {
    const PagePart parts[] = {{"A", SV("one")}, {"LONG_NAME", SV("@A@")}, {"NONE", SV("")}};
    StrBuf out = STRBUF_INIT;
    page_fill(sv_from(template), parts, COUNTOF(parts), &out);
    CHECK_STR(out.len > 0 ? out.ptr : "", want);
    strbuf_free(&out);
}

static void test_fill(void) {
    check_filled("", "");
    check_filled("plain", "plain");
    check_filled("@A@", "one");
    check_filled("<@A@@A@>", "<oneone>");
    /* Placeholders in inserted text are not replaced. */
    check_filled("x@LONG_NAME@y@NONE@z", "x@A@yz");
    check_filled("@media @B@ @A @", "@media @B@ @A @");
    check_filled("@@A@@", "@one@");
    check_filled("@", "@");
}

static void test_json(void) {
    StrBuf out = STRBUF_INIT;
    page_append_json(SV("{\"a\":\"</script><!--\"}<"), &out);
    CHECK_STR(out.ptr, "{\"a\":\"\\u003c/script>\\u003c!--\"}\\u003c");
    strbuf_free(&out);
}

UNIT_MAIN({"filling", test_fill}, {"JSON", test_json})
