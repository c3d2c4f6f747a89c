/* The picture of a training. */
#include "tools/train/checkpoint.h"

#include <string.h>

#include "unit.h"

static int count_of(const StrBuf *text, const char *part) {
    int count = 0;
    for (const char *at = text->ptr; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

/* A training of `epochs`, whose losses are those given in each of them. */
static StrBuf draw(int epochs, double train, double held_out) {
    Curve curve = {.count = 0};
    for (int i = 0; i < epochs; i++) {
        curve_add(&curve, (CurvePoint){i + 1, {train, held_out}});
    }
    StrBuf picture = STRBUF_INIT;
    curve_draw(&curve, &picture);
    CHECK_INT(count_of(&picture, "</svg>"), 1);
    CHECK_INT(count_of(&picture, "nan") + count_of(&picture, "inf"), 0);
    return picture;
}

static void one_epoch_can_be_seen(void) {
    StrBuf picture = draw(1, 0.02, 0.01);
    CHECK_INT(count_of(&picture, "<circle"), 2);
    CHECK_INT(count_of(&picture, ">training<"), 1);
    CHECK_INT(count_of(&picture, ">held out<"), 1);
    /* The greater loss at the top, both at the right end. */
    CHECK_INT(count_of(&picture, "cx='740.0' cy='30.0'"), 1);
    CHECK_INT(count_of(&picture, "cx='740.0' cy='355.0'"), 1);
    strbuf_free(&picture);
}

static void more_are_lines(void) {
    StrBuf picture = draw(2, 0.02, 0.01);
    CHECK_INT(count_of(&picture, "<circle"), 0);
    CHECK_INT(count_of(&picture, "<polyline"), 2);
    CHECK_INT(count_of(&picture, "points='405.0,30.0 740.0,30.0 '"), 1);
    strbuf_free(&picture);
}

static void what_is_not_held_out_is_not_named(void) {
    for (int epochs = 1; epochs <= 2; epochs++) {
        StrBuf picture = draw(epochs, 0.02, 0);
        CHECK_INT(count_of(&picture, "<circle") + count_of(&picture, "<polyline"), 1);
        CHECK_INT(count_of(&picture, ">training<"), 1);
        CHECK_INT(count_of(&picture, ">held out<"), 0);
        strbuf_free(&picture);
    }
}

static void nothing_is_an_empty_picture(void) {
    StrBuf picture = draw(0, 0, 0);
    CHECK_INT(count_of(&picture, ">training<"), 0);
    strbuf_free(&picture);
}

UNIT_MAIN({"one epoch can be seen", one_epoch_can_be_seen}, {"more are lines", more_are_lines},
          {"what is not held out is not named", what_is_not_held_out_is_not_named},
          {"nothing is an empty picture", nothing_is_an_empty_picture})
