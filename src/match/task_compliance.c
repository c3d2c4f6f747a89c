/* task_compliance.c: a list of exchanges with the engine, and for each the output that the engine
 * must and must not send. */
#include "base/clock.h"
#include "base/fileio.h"
#include "base/proc.h"
#include "match/task.h"
#include "play/usiline.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* How long to wait for output that must not come, and the time that an engine may need in addition
 * to its clock. */
enum { SILENCE_MS = 300, OVERHEAD_MS = 1000 };

typedef struct Exam {
    const EngineSpec *spec;
    const PlayerOptions *rules;
    MatchReport *report;
    const atomic_bool *cancel;
    Proc *proc; /* NULL: not running */
    int passed, failed;
    bool cannot_start;
    StrBuf why;     /* the fault being reported; empty: none */
    StrBuf answer;  /* the line that was awaited last */
    StrBuf options; /* setoption lines with the defaults that the engine announces */
    int infos;      /* info lines with moves since the last go */
    Position pos;   /* position of the last go */
} Exam;

static void send_exam(Exam *exam, const char *text) {
    proc_send(exam->proc, sv_from(text));
}

/* Records the first fault of a requirement. */
static void fail_check(Exam *exam, const char *what, StrView word) {
    if (exam->why.len == 0) {
        strbuf_add_str(&exam->why, what);
        strbuf_addf(&exam->why, "%s%.*s", word.len > 0 ? ": " : "", (int)int_min((int)word.len, 80),
                    word.ptr != NULL ? word.ptr : "");
    }
}

/* Ends a requirement and prints whether it was met. After a cancellation prints nothing, because
 * the exchange was cut short. */
static void report_check(Exam *exam, const char *what) {
    bool is_met = exam->why.len == 0;
    if (!atomic_load(exam->cancel)) {
        exam->passed += is_met;
        exam->failed += !is_met;
        matchreport_line(exam->report, is_met ? "pass  %s" : "FAIL  %s: %s", what, exam->why.ptr);
    }
    strbuf_clear(&exam->why);
}

/* Checks that moves are legal one after the other and, if `must_mate`, that the last one mates. */
static void check_moves(Exam *exam, StrView moves, bool must_mate) {
    Tokenizer tok = {moves};
    StrView word;
    int done = 0;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(&exam->pos, move)) {
            fail_check(exam, "a move of the line is not legal", word);
            must_mate = false;
            break;
        }
        pos_do(&exam->pos, move);
        done++;
    }
    if (must_mate && gen_has_move(&exam->pos)) {
        fail_check(exam, "the line does not mate", moves);
    }
    pos_undo_moves(&exam->pos, done);
}

/* Reads the next line before the deadline. Returns false if none comes. */
static bool read_exam_line(Exam *exam, int64_t deadline_ns, StrView *line) {
    while (!proc_next_line(exam->proc, line)) {
        if (atomic_load(exam->cancel) || proc_has_ended(exam->proc) || clock_ns() >= deadline_ns) {
            return false;
        }
        proc_wait(&exam->proc, 1, i64_min(deadline_ns, clock_ns() + 100000000));
    }
    return true;
}

/* Waits up to the given time for a line that begins with the word, and stores it in exam->answer.
 * Returns false if no such line comes. If `is_wanted` is true, that is a fault; otherwise it is a
 * fault if such a line comes. */
static bool wait_for(Exam *exam, const char *word, int64_t ms, bool is_wanted) {
    int64_t deadline_ns = clock_ns() + ms * NS_PER_MS;
    StrView line, first;
    while (read_exam_line(exam, deadline_ns, &line)) {
        Tokenizer tok = {line};
        (void)tok_next(&tok, &first);
        if (sv_equal(first, SV("info"))) {
            UsiInfo info = {0};
            StrView pv;
            if (usiline_read_info(tok_rest(&tok), &info, &pv)) {
                exam->infos++;
                check_moves(exam, pv, false);
            }
        }
        if (sv_equal(first, sv_from(word))) {
            strbuf_clear(&exam->answer);
            strbuf_add(&exam->answer, sv_trim(line));
            if (!is_wanted) {
                fail_check(exam, "unexpected output", sv_trim(line));
            }
            return true;
        }
    }
    if (proc_has_ended(exam->proc)) {
        fail_check(exam, "the process ended", SV(""));
    } else if (is_wanted && exam->why.len == 0) {
        strbuf_addf(&exam->why, "no %s in %lld ms", word, (long long)ms);
    }
    return false;
}

static void expect_silence(Exam *exam) {
    (void)wait_for(exam, "bestmove", SILENCE_MS, false);
}

/* Sets up the position in *exam and sends it to the engine. `text` follows the word "position". */
static void send_position(Exam *exam, const char *text) {
    UsiFault fault;
    bool is_good = usimove_position(sv_from(text), &exam->pos, &fault);
    ASSERT(is_good);
    (void)is_good;
    send_exam(exam, "position ");
    send_exam(exam, text);
    send_exam(exam, "\n");
    exam->infos = 0;
}

/* Checks that the answer is a legal move, a resignation or a declaration, and that it is the only
 * answer. */
static void expect_bestmove(Exam *exam, int64_t ms) {
    if (!wait_for(exam, "bestmove", ms, true)) {
        return;
    }
    StrView best, ponder;
    usiline_read_bestmove(sv_skip(strbuf_view(&exam->answer), 8), &best, &ponder);
    Move move = usimove_read(best);
    if (move == MOVE_RESIGN || move == MOVE_WIN) {
        return;
    }
    if (!move_is_legal(&exam->pos, move)) {
        fail_check(exam, "not a legal move", strbuf_view(&exam->answer));
    } else if (ponder.len > 0) {
        pos_do(&exam->pos, move);
        if (!move_is_legal(&exam->pos, usimove_read(ponder))) {
            fail_check(exam, "not a legal move to ponder on", strbuf_view(&exam->answer));
        }
        pos_undo(&exam->pos);
    }
    /* None of the following lines may be a second answer. */
    StrBuf first = exam->answer;
    exam->answer = (StrBuf){0};
    (void)wait_for(exam, "bestmove", 50, false);
    strbuf_free(&exam->answer);
    exam->answer = first;
}

/* Checks one line "option name N type T ..." and adds a line that sets the option to its
 * default. */
static void check_option(Exam *exam, StrView line) {
    Tokenizer tok = {line};
    StrView word, name = {NULL, 0}, type = {NULL, 0}, value = {NULL, 0};
    int64_t low = INT64_MIN, high = INT64_MAX, number;
    bool has_default = false, is_var = false;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("name"))) {
            (void)tok_next(&tok, &name);
        } else if (sv_equal(word, SV("type"))) {
            (void)tok_next(&tok, &type);
        } else if (sv_equal(word, SV("default"))) {
            has_default = tok_next(&tok, &value);
        } else if (sv_equal(word, SV("min")) || sv_equal(word, SV("max"))) {
            int64_t *place = sv_equal(word, SV("min")) ? &low : &high;
            if (!tok_next(&tok, &word) || !sv_to_i64(word, INT64_MIN, INT64_MAX, place)) {
                fail_check(exam, "no number", line);
            }
        } else if (sv_equal(word, SV("var"))) {
            is_var = (tok_next(&tok, &word) && sv_equal(word, value)) || is_var;
        }
    }
    bool is_spin = sv_equal(type, SV("spin")), is_check = sv_equal(type, SV("check"));
    bool is_combo = sv_equal(type, SV("combo")), is_button = sv_equal(type, SV("button"));
    bool is_text = sv_equal(type, SV("string")) || sv_equal(type, SV("filename"));
    if (!is_spin && !is_check && !is_combo && !is_button && !is_text) {
        fail_check(exam, "a type that USI does not have, or a space in the name", line);
    } else if (is_spin &&
               (!sv_to_i64(value, low, high, &number) || low == INT64_MIN || high == INT64_MAX)) {
        fail_check(exam, "a spin option needs min, max and a default between them", line);
    } else if (is_check && !sv_equal(value, SV("true")) && !sv_equal(value, SV("false"))) {
        fail_check(exam, "the default of a check option must be true or false", line);
    } else if (is_combo && !is_var) {
        fail_check(exam, "the default of a combo option must be one of its values", line);
    } else if (is_text && !has_default) {
        fail_check(exam, "there is no default; write <empty> for an empty one", line);
    }
    if (!is_button && has_default) {
        strbuf_addf(&exam->options, "setoption name %.*s value %.*s\n", (int)name.len, name.ptr,
                    sv_equal(value, SV("<empty>")) ? 0 : (int)value.len, value.ptr);
    }
}

/* Starts a process and waits for usiok; if `is_first`, checks the requirements on the way. */
static bool start_exam_engine(Exam *exam, bool is_first) {
    const EngineSpec *spec = exam->spec;
    ProcSpec proc = {(const char *const *)spec->argv, spec->dir, spec->stderr_path};
    int error = proc_start(&proc, &exam->proc);
    if (error != 0) {
        matchreport_failure(exam->report, "cannot start %s: %s", spec->argv[0],
                            file_error_text(error));
        exam->cannot_start = true;
        return false;
    }
    send_exam(exam, "usi\n");
    int64_t deadline_ns = clock_ns() + exam->rules->usi_ms * NS_PER_MS;
    bool has_name = false, has_author = false, is_done = false;
    StrView line;
    while (!is_done && read_exam_line(exam, deadline_ns, &line)) {
        has_name |= sv_starts_with(line, SV("id name "));
        has_author |= sv_starts_with(line, SV("id author "));
        is_done = sv_equal(sv_trim(line), SV("usiok"));
        for (size_t i = 0; is_first && i < line.len; i++) {
            if ((unsigned char)line.ptr[i] >= 0x7f) {
                fail_check(exam, "not ASCII", line);
            }
        }
        if (is_first && sv_starts_with(line, SV("option "))) {
            check_option(exam, line);
        }
    }
    if (is_first && is_done) {
        report_check(exam, "options are announced in ASCII and in a form that GUIs can read");
        if (!has_name || !has_author) {
            fail_check(exam, "one of them is missing", SV(""));
        }
        report_check(exam, "usi is answered with id name and id author");
    }
    if (!is_done) {
        strbuf_clear(&exam->why);
        fail_check(exam, proc_has_ended(exam->proc) ? "the process ended" : "no usiok in time",
                   SV(""));
    }
    if (is_first || !is_done) {
        report_check(exam, "usiok answers usi");
    }
    return is_done;
}

static void stop_exam_engine(Exam *exam) {
    if (exam->proc != NULL) {
        (void)proc_stop(exam->proc, 0);
        exam->proc = NULL;
    }
}

/* Waits for readyok and sends usinewgame. */
static bool start_exam_game(Exam *exam) {
    send_exam(exam, "isready\n");
    bool is_ready = wait_for(exam, "readyok", exam->rules->ready_ms, true);
    send_exam(exam, "usinewgame\n");
    return is_ready;
}

static void examine_start(Exam *exam) {
    send_exam(exam, "setoption name USI_Hash value 32\nsetoption name USI_Ponder value true\n");
    proc_send(exam->proc, strbuf_view(&exam->options));
    (void)start_exam_game(exam);
    report_check(
        exam,
        "readyok after setting all options to their defaults, including USI_Hash and USI_Ponder");
    (void)start_exam_game(exam);
    report_check(exam, "isready may be sent again");
    send_exam(exam,
              "\n  \nxyzzy 1 2\nsetoption name NoSuchOption value 1\nregister later\ndebug off\n"
              "isready\r\n");
    (void)wait_for(exam, "readyok", exam->rules->ready_ms, true);
    report_check(
        exam, "empty lines, unknown commands and unknown options are ignored; CR LF ends a line");
    send_exam(exam, "stop\nponderhit\ngameover draw\n");
    expect_silence(exam);
    report_check(exam, "stop, ponderhit and gameover print nothing if no search is running");
    (void)start_exam_game(exam);
    strbuf_clear(&exam->why);
}

/* Checks the requirements on the answer to a timed search. */
static void examine_clock(Exam *exam, const char *position, const char *go, int budget_ms,
                          const char *what) {
    int64_t start_ns = clock_ns();
    send_position(exam, position);
    send_exam(exam, go);
    expect_bestmove(exam, budget_ms + OVERHEAD_MS);
    if (exam->why.len == 0 && clock_ns() - start_ns > (int64_t)(budget_ms + 100) * NS_PER_MS) {
        fail_check(exam, "too late", SV(""));
    }
    report_check(exam, what);
}

static void examine_clocks(Exam *exam) {
    StrBuf shuffle = STRBUF_INIT;
    static const char *const round[] = {" 2h3h", " 8b7b", " 3h2h", " 7b8b"};
    examine_clock(exam, "startpos", "go btime 0 wtime 0 byoyomi 500\n", 500,
                  "byoyomi: one legal bestmove in time");
    if (exam->infos == 0) {
        fail_check(exam, "there was no such line", SV(""));
    }
    report_check(exam, "a search shows info with score and pv");
    examine_clock(exam, "startpos moves 7g7f", "go btime 0 wtime 0 binc 500 winc 500\n", 500,
                  "increments with an empty clock");
    examine_clock(exam, "startpos moves", "go btime 1000 wtime 1000 byoyomi 0\n", 1000,
                  "position with the word moves but no moves after it");
    examine_clock(exam, "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
                  "go btime 0 wtime 0 byoyomi 300\n", 300, "a handicap game, white first");
    strbuf_add_str(&shuffle, "startpos moves");
    for (int i = 0; i < 600; i++) {
        strbuf_add_str(&shuffle, round[i % 4]);
    }
    examine_clock(exam, shuffle.ptr, "go btime 0 wtime 0 byoyomi 300\n", 300,
                  "a game of 600 moves");
    examine_clock(exam, "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "go btime 0 wtime 0 byoyomi 300\n",
                  300, "the engine answers in time when it is mated");
    if (!sv_starts_with(strbuf_view(&exam->answer), SV("bestmove resign"))) {
        fail_check(exam, "the answer was", strbuf_view(&exam->answer));
    }
    report_check(exam, "the answer when mated is bestmove resign");
    send_exam(exam, "position sfen nonsense\nposition startpos moves 7g7f 7g7f zzzz\n");
    expect_silence(exam);
    report_check(exam, "invalid positions print nothing and do not crash the engine");
    strbuf_free(&shuffle);
}

static void examine_stop(Exam *exam) {
    send_position(exam, "startpos");
    send_exam(exam, "go infinite\n");
    expect_silence(exam);
    report_check(exam, "go infinite is not answered before stop");
    send_exam(exam, "isready\n");
    (void)wait_for(exam, "readyok", 2000, true);
    report_check(exam, "isready is answered during a search");
    send_exam(exam, "setoption name USI_Hash value 32\n");
    send_exam(exam, "stop\n");
    expect_bestmove(exam, exam->rules->stop_ms);
    report_check(exam, "stop gives one bestmove");
    send_position(exam, "startpos");
    send_exam(exam, "go infinite\nstop\ngameover win\n");
    expect_bestmove(exam, exam->rules->stop_ms);
    expect_silence(exam);
    report_check(exam, "stop followed by gameover gives one bestmove, as ShogiHome expects");
    (void)start_exam_game(exam);
    strbuf_clear(&exam->why);
}

static void examine_ponder(Exam *exam) {
    send_position(exam, "startpos moves 7g7f 3c3d");
    send_exam(exam, "go ponder btime 0 wtime 0 byoyomi 300\n");
    (void)wait_for(exam, "bestmove", 700, false);
    report_check(exam, "go ponder is not answered before ponderhit, however long it takes");
    send_exam(exam, "ponderhit\n");
    expect_bestmove(exam, 300 + OVERHEAD_MS);
    report_check(exam, "ponderhit gives one bestmove in time");
    send_position(exam, "startpos moves 7g7f 3c3d");
    send_exam(exam, "go ponder btime 0 wtime 0 byoyomi 300\nstop\n");
    expect_bestmove(exam, exam->rules->stop_ms);
    report_check(exam, "stop during go ponder gives one bestmove");
}

/* Asks for a mate that there is, and checks that the moves of the answer mate. */
static void examine_mate(Exam *exam) {
    send_position(exam, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    send_exam(exam, "go mate 1000\n");
    if (wait_for(exam, "checkmate", 1000 + OVERHEAD_MS, true)) {
        StrView line = sv_trim(sv_skip(strbuf_view(&exam->answer), 9));
        bool is_line = !sv_equal(line, SV("timeout")) && !sv_equal(line, SV("notimplemented"));
        if (sv_equal(line, SV("nomate"))) {
            fail_check(exam, "there is a mate, but the answer is", strbuf_view(&exam->answer));
        } else if (is_line) {
            check_moves(exam, line, true);
        }
    }
    report_check(exam, "go mate is answered by checkmate");
    expect_silence(exam);
    report_check(exam, "go mate prints no bestmove");
}

static void expect_end(Exam *exam, const char *what) {
    ProcEnd end = proc_stop(exam->proc, exam->rules->quit_ms);
    exam->proc = NULL;
    if (end.kind != PROC_EXITED) {
        fail_check(exam,
                   end.kind == PROC_KILLED ? "the process kept running"
                                           : "the process was ended by a signal",
                   SV(""));
    } else if (end.code != 0) {
        strbuf_addf(&exam->why, "exit status %d", end.code);
    }
    report_check(exam, what);
}

/* Checks how the engine ends, in a separate process for each case. */
static void examine_ends(Exam *exam) {
    send_position(exam, "startpos");
    send_exam(exam, "go infinite\nquit\n");
    expect_end(exam, "quit during a search ends the process with status 0");
    if (start_exam_engine(exam, false)) {
        send_exam(exam, "isready\nquit\n");
        expect_end(exam, "quit directly after isready ends the process");
    }
    stop_exam_engine(exam);
    if (start_exam_engine(exam, false)) {
        expect_end(exam, "the end of input ends the process");
    }
    stop_exam_engine(exam);
}

TaskStatus task_check_engine(const MatchSettings *settings, MatchReport *report,
                             atomic_bool *cancel) {
    static void (*const parts[])(Exam * exam) = {examine_start,  examine_clocks, examine_stop,
                                                 examine_ponder, examine_mate,   examine_ends};
    Exam exam = {.spec = &settings->contest.engines[0],
                 .rules = &settings->player_rules,
                 .report = report,
                 .cancel = cancel};
    pos_init(&exam.pos);
    bool is_running = start_exam_engine(&exam, true);
    for (size_t i = 0; i < COUNTOF(parts) && is_running && !atomic_load(cancel); i++) {
        if (exam.proc == NULL || proc_has_ended(exam.proc)) {
            stop_exam_engine(&exam);
            is_running = start_exam_engine(&exam, false) && start_exam_game(&exam);
        }
        if (is_running) {
            parts[i](&exam);
        }
    }
    stop_exam_engine(&exam);
    if (!exam.cannot_start) {
        matchreport_line(report, "%d passed, %d failed", exam.passed, exam.failed);
    }
    pos_free(&exam.pos);
    strbuf_free(&exam.why);
    strbuf_free(&exam.answer);
    strbuf_free(&exam.options);
    return atomic_load(cancel)                    ? TASK_INTERRUPTED
           : exam.failed > 0 || exam.cannot_start ? TASK_FAILED
                                                  : TASK_DONE;
}
