/* Pages: what a reader's data could do to the markup around it. */
#include "web/page.h"

#include "unit.h"

static bool has(const StrBuf *page, StrView text) {
    return sv_find(strbuf_view(page), text) < page->len;
}

static void test_write(void) {
    StrBuf page = STRBUF_INIT;
    page_write(PAGE_MATCH, SV("{\"a\":\"</script><!--@PLAIN@\"}"), SV("<b> & @DATA@\n"), &page);
    CHECK(
        sv_starts_with(strbuf_view(&page), SV("<!DOCTYPE html>\n<!-- The page of a tournament.")));
    CHECK(has(&page, SV(">{\"a\":\"\\u003c/script>\\u003c!--@PLAIN@\"}</script>")));
    CHECK(has(&page, SV("<pre id=\"plain\">&#60;b&#62; &#38; @DATA@\n</pre>")));
    CHECK(has(&page, SV("\nstartMatchPage();\n</script>")));
    /* Every placeholder of the template is filled. */
    static const char *const places[] = {"@NAME@", "@STYLE@", "@SCRIPT@"};
    for (size_t i = 0; i < COUNTOF(places); i++) {
        CHECK(!has(&page, sv_from(places[i])));
    }
    strbuf_free(&page);
}

UNIT_MAIN({"writing", test_write})
