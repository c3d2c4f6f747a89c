/* Lines of charts with missing values. */
#include "base/chart.h"

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

static void has_marks(double low, double high, const char *labels) {
    ChartPlot axis = {.width = 300, .height = 20, .y_high = 1};
    axis.x_low = low;
    axis.x_high = high;
    axis.x_is_log10 = true;
    StrBuf out = STRBUF_INIT, found = STRBUF_INIT;
    chart_axes(&axis, "", &out);
    for (const char *at = out.ptr; (at = strstr(at, "\"middle\">")) != NULL;) {
        at += strlen("\"middle\">");
        strbuf_add(&found, (StrView){at, (size_t)(strchr(at, '<') - at)});
        strbuf_add_byte(&found, ' ');
    }
    CHECK(strcmp(found.ptr, labels) == 0);
    strbuf_free(&out);
    strbuf_free(&found);
}

static void a_logarithmic_axis_shows_the_numbers(void) {
    has_marks(4, 6, "10k 100k 1M ");
    has_marks(1.5, 4.5, "100 1k 10k ");
    has_marks(4, 4.7, "10k 20k 50k ");
}

UNIT_MAIN({"a line is cut off at the edges", a_line_is_cut_off_at_the_edges},
          {"what is no number is a gap", what_is_no_number_is_a_gap},
          {"what is infinite is a gap", what_is_infinite_is_a_gap},
          {"a logarithmic axis shows the numbers", a_logarithmic_axis_shows_the_numbers})
