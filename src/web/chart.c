/* chart.c: writes the beginning and the end of an SVG picture, and escapes text. */
#include "web/chart.h"

void chart_open(int width, int height, const char *attributes, StrBuf *out) {
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" %s>\n"
                "<rect class=\"ground\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                width, height, width, height, attributes);
}

void chart_end(StrBuf *out) {
    strbuf_add_str(out, "</svg>\n");
}

void chart_escape(StrView text, StrBuf *out) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '<' || c == '>' || c == '&' || c == '"') {
            strbuf_addf(out, "&#%d;", c);
        } else if ((unsigned char)c >= 0x20) {
            strbuf_add_byte(out, c);
        }
    }
}
