/* fuzz_analysis.c: reads any bytes as the comments of a game. The judgements found in them can be
 * written in each style and read back. */
#include <stdint.h>
#include <stdlib.h>

#include "commands/annotate.h"
#include "record/kifuio.h"
#include "rules/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_so) {
    if (!is_so) {
        abort();
    }
}

static void check_judgement(const Judgement *judgement) {
    require(judgement->line_count >= 0 && judgement->line_count <= ANALYSIS_LINES);
    for (int i = 0; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        require(line->pv_len >= 0 && line->pv_len <= ANALYSIS_PV);
        require(line->score >= -SCORE_MATE && line->score <= SCORE_MATE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pos_init_tables();
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault fault;
    Record record;
    Analysis analysis;
    record_init(&record);
    require(kifu_read(SV("startpos moves 7g7f 3c3d 8h2b+"), &form, &record, &fault));
    StrView half = {(const char *)data, size / 2};
    StrView rest = {(const char *)data + half.len, size - half.len};
    record_set_comment(&record, 1, half);
    record_set_comment(&record, 3, rest);
    analysis_init(&analysis, &record);
    int count = annotate_read(&analysis);
    for (int i = 0; i < analysis.count; i++) {
        check_judgement(&analysis.at[i]);
    }
    for (int style = STYLE_SHOGIHOME; style <= STYLE_FLOODGATE; style++) {
        Analysis back;
        annotate_comments(&analysis, (AnnotateStyle)style, &record);
        analysis_init(&back, &record);
        require(annotate_read(&back) >= count);
        analysis_free(&back);
    }
    analysis_free(&analysis);
    record_free(&record);
    return 0;
}
