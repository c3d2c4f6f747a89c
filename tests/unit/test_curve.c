/* The chart of a training run. */

#include <stdlib.h>
#include <string.h>

#include "train/curve.h"
#include "unit.h"

static int count_of(const StrBuf *text, const char *part) {
    int count = 0;
    for (const char *at = text->ptr; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

/* Draws a training run of `epochs` epochs with the same losses in each of them. */
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

/* A single point is drawn as a line across the plot. */
static void one_epoch_can_be_seen(void) {
    StrBuf picture = draw(1, 0.02, 0.01);
    CHECK_INT(count_of(&picture, "stroke-dasharray"), 2);
    CHECK_INT(count_of(&picture, ">training<"), 1);
    CHECK_INT(count_of(&picture, ">held out<"), 1);
    /* The greater loss is at the top. */
    CHECK_INT(count_of(&picture, "M75.0,35.0h630.0\" stroke=\"#d62728\""), 1);
    CHECK_INT(count_of(&picture, "M75.0,360.0h630.0\" stroke=\"#1f77b4\""), 1);
    strbuf_free(&picture);
}

static void more_are_lines(void) {
    StrBuf picture = draw(2, 0.02, 0.01);
    CHECK_INT(count_of(&picture, "stroke-dasharray"), 0);
    CHECK_INT(count_of(&picture, ">0.2<") + count_of(&picture, ">0.5<"), 0); /* epochs are whole */
    /* The line starts at the first epoch and goes across the plot. */
    CHECK_INT(count_of(&picture, "M75.0,35.0L705.0,35.0"), 1);
    CHECK_INT(count_of(&picture, "M75.0,360.0L705.0,360.0"), 1);
    CHECK_INT(count_of(&picture, ">0<"), 0);
    strbuf_free(&picture);
}

/* All labels are inside the picture but outside the plot, which ends at x = 705. */
static void words_cover_no_line(void) {
    StrBuf picture = draw(3, 0.02, 0.01);
    CHECK_INT(count_of(&picture, ">Training: squared error of the winning chance<"), 1);
    CHECK_INT(count_of(&picture, ">epochs<") + count_of(&picture, ">loss upwards<"), 2);
    int texts = 0;
    for (const char *at = picture.ptr; (at = strstr(at, "<text x=\"")) != NULL; at++) {
        double x = strtod(at + 9, NULL);
        const char *below = strstr(at, "y=\"");
        double y = strtod(below + 3, NULL);
        CHECK(x < 75 || x > 705 || y < 35 || y > 360);
        texts++;
    }
    CHECK(texts > 8);
    strbuf_free(&picture);
}

static void what_is_not_held_out_is_not_named(void) {
    for (int epochs = 1; epochs <= 2; epochs++) {
        StrBuf picture = draw(epochs, 0.02, 0);
        CHECK_INT(count_of(&picture, "#d62728"), 2);
        CHECK_INT(count_of(&picture, "#1f77b4"), 0);
        CHECK_INT(count_of(&picture, ">training<"), 1);
        CHECK_INT(count_of(&picture, ">held out<"), 0);
        strbuf_free(&picture);
    }
}

/* The lines of phases are shades of grey, those of distances from the end shades of green, and all
 * shades are different. */
static void colors_tell_the_kinds_apart(void) {
    Curve curve = {.count = 0};
    for (int i = 1; i <= 2; i++) {
        CurvePoint point = {.epoch = i};
        for (int line = 0; line < CURVE_LINES; line++) {
            point.loss[line] = 0.01 * (line + i);
        }
        curve_add(&curve, point);
    }
    StrBuf picture = STRBUF_INIT;
    curve_draw(&curve, &picture);
    int greys = 0, greens = 0;
    for (const char *at = picture.ptr; (at = strstr(at, "stroke=\"rgb(")) != NULL; at++) {
        char *end;
        long red = strtol(at + 12, &end, 10);
        long green = strtol(end + 1, &end, 10);
        long blue = strtol(end + 1, &end, 10);
        bool is_grey = red == green && green == blue;
        CHECK(!is_grey ||
              (red >= 85 && red <= 190)); /* visible on a white and on a dark background */
        greys += is_grey;
        greens += green >= red + 40 && green >= blue + 40;
    }
    CHECK_INT(greys, 8 + 1); /* one for each line, and one beside the name */
    CHECK_INT(greens, 8 + 1);
    strbuf_free(&picture);
}

static void nothing_is_an_empty_picture(void) {
    StrBuf picture = draw(0, 0, 0);
    CHECK_INT(count_of(&picture, ">training<"), 0);
    strbuf_free(&picture);
}

UNIT_MAIN({"one epoch can be seen", one_epoch_can_be_seen}, {"more are lines", more_are_lines},
          {"words cover no line", words_cover_no_line},
          {"what is not held out is not named", what_is_not_held_out_is_not_named},
          {"colors tell the kinds apart", colors_tell_the_kinds_apart},
          {"nothing is an empty picture", nothing_is_an_empty_picture})
