/* Lines of charts with missing values. */
#include "web/chart.h"

#include <math.h>
#include <string.h>

#include "unit.h"

static const ChartPlot plot = {
    .left = 10, .top = 20, .width = 50, .height = 100, .x_high = 5, .y_high = 10};

static void draws(const double y[6], const char *path) {
    static const double x[6] = {0, 1, 2, 3, 4, 5};
    StrBuf out = STRBUF_INIT;
    chart_line(&plot, x, y, 6, "#000", &out);
    CHECK(strncmp(out.ptr, path, strlen(path)) == 0);
    strbuf_free(&out);
}

static void a_line_is_cut_off_at_the_edges(void) {
    draws((double[]){0, 5, 20, 10, -3, 0}, "<path d=\"M10.0,120.0L20.0,70.0L30.0,20.0L40.0,20.0"
                                           "L50.0,120.0L60.0,120.0\"");
}

static void what_is_no_number_is_a_gap(void) {
    draws((double[]){NAN, 5, NAN, NAN, 0, 10}, "<path d=\"M20.0,70.0M50.0,120.0L60.0,20.0\"");
}

/* An infinite value is a gap: an interval without an end must not end at the edge of the plot. */
static void what_is_infinite_is_a_gap(void) {
    draws((double[]){INFINITY, 5, 10, INFINITY, -INFINITY, 0},
          "<path d=\"M20.0,70.0L30.0,20.0M60.0,120.0\"");
}

UNIT_MAIN({"a line is cut off at the edges", a_line_is_cut_off_at_the_edges},
          {"what is no number is a gap", what_is_no_number_is_a_gap},
          {"what is infinite is a gap", what_is_infinite_is_a_gap})
