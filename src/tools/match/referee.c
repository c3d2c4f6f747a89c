/* referee.c: keeps the clocks, checks each move, adjudicates, and ends the game by the rules. */
#include "tools/match/referee.h"

#include <time.h>

#include "base/xmem.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* ---- Adjudication. ---- */

static void count_run(int *run, bool goes_on) {
    *run = goes_on ? *run + 1 : 0;
}

static bool is_lost(const Adjudicator *adjudicator, const AdjudicationRules *rules, Color side) {
    int needed = rules->resign_moves;
    return needed > 0 && adjudicator->losing_run[side] >= needed &&
           (!rules->is_resign_mutual || adjudicator->winning_run[color_flip(side)] >= needed);
}

static bool is_drawn(const Adjudicator *adjudicator, const AdjudicationRules *rules, int ply) {
    int needed = rules->draw_moves;
    return needed > 0 && ply >= rules->draw_from_ply && adjudicator->draw_run[BLACK] >= needed &&
           adjudicator->draw_run[WHITE] >= needed;
}

KmdWinner referee_adjudicate(Adjudicator *adjudicator, const AdjudicationRules *rules, Color side,
                             const UsiInfo *info, int ply) {
    bool has = info->has_score;
    int score = info->score;
    count_run(&adjudicator->losing_run[side], has && score <= -rules->resign_score);
    count_run(&adjudicator->winning_run[side], has && score >= rules->resign_score);
    count_run(&adjudicator->draw_run[side],
              has && score <= rules->draw_score && score >= -rules->draw_score);
    if (is_lost(adjudicator, rules, side)) {
        return outcome_winner(color_flip(side));
    }
    if (is_lost(adjudicator, rules, color_flip(side))) {
        return outcome_winner(side);
    }
    return is_drawn(adjudicator, rules, ply) ? KMD_WINNER_DRAW : KMD_WINNER_NONE;
}

/* ---- Games. ---- */

/* A game in progress. */
typedef struct Game {
    const GameSetup *setup;
    Position *pos;
    GameResult *result;
    RefereeStatus status;
    GameClock clock;
    Adjudicator adjudicator;
    StrBuf position;       /* USI text of the position */
    Move ponder[COLOR_NB]; /* the reply on which a player is pondering; MOVE_NONE: none */
    PlayerAnswer answer;
} Game;

static void end_game(Game *game, KmdWinner winner, EndReason reason) {
    game->result->winner = winner;
    game->result->reason = reason;
}

static bool is_over(const Game *game) {
    return game->status != REFEREE_DONE || game->result->winner != KMD_WINNER_NONE;
}

/* Ends the game because of a fault by `side`, which loses. */
static void end_by_fault(Game *game, Color side, EndReason reason, const char *detail) {
    end_game(game, outcome_winner(color_flip(side)), reason);
    strbuf_clear(&game->result->detail);
    strbuf_add_str(&game->result->detail, detail);
}

/* Ends the game because a player did not get ready. */
static void end_by_failure(Game *game, Color side, PlayerStatus status) {
    static const EndReason reasons[] = {
        [PLAYER_LATE] = ENDED_TIME,
        [PLAYER_HANGS] = ENDED_HANG,
        [PLAYER_CRASHED] = ENDED_CRASH,
        [PLAYER_UNASKED] = ENDED_PROTOCOL,
    };
    const char *detail = player_detail(game->setup->player[side]);
    if (status == PLAYER_CANCELLED) {
        game->status = REFEREE_CANCELLED;
    } else if (status == PLAYER_NO_EXEC) {
        game->status = REFEREE_NO_EXEC;
        strbuf_add_str(&game->result->detail, detail);
    } else {
        end_by_fault(game, side, reasons[status], detail);
    }
}

static void end_if_over(Game *game) {
    KmdOutcome outcome = outcome_of(game->pos, &game->setup->rules);
    if (outcome.kind != KMD_END_NONE) {
        end_game(game, outcome.winner, gameresult_reason_of(outcome.kind));
    }
}

static void judge_declaration(Game *game, Color side) {
    switch (declare_result(game->pos, game->setup->rules.declare)) {
    case KMD_DECLARATION_WIN:
        end_game(game, outcome_winner(side), ENDED_DECLARATION);
        break;
    case KMD_DECLARATION_DRAW:
        end_game(game, KMD_WINNER_DRAW, ENDED_DECLARATION);
        break;
    case KMD_DECLARATION_REFUSED:
        end_by_fault(game, side, ENDED_FALSE_WIN, declare_rule_name(game->setup->rules.declare));
        break;
    }
}

static void note_stats(Game *game, Color side) {
    const PlayerAnswer *answer = &game->answer;
    bool has_nodes = answer->info.nodes > 0, has_depth = answer->info.depth > 0;
    const PlayerStats move = {.moves = 1,
                              .time_ns = answer->used_ns,
                              .nodes = (int64_t)answer->info.nodes,
                              .nodes_time_ns = has_nodes ? answer->search_ns : 0,
                              .depth_sum = answer->info.depth,
                              .depth_moves = has_depth};
    gameresult_add_stats(&game->result->stats[side], &move);
}

/* Appends a move to the USI text of the position, with the word "moves" before the first one if the
 * opening has no moves. */
static void add_move_text(StrBuf *position, Move move) {
    bool has_moves = sv_find(strbuf_view(position), SV(" moves ")) < position->len;
    strbuf_add_str(position, has_moves ? " " : " moves ");
    usimove_append(move, position);
}

static void note_move(Game *game, Color side) {
    GameResult *result = game->result;
    const PlayerAnswer *answer = &game->answer;
    int sign = side == BLACK ? 1 : -1;
    result->notes = xmem_grow(result->notes, &result->note_cap, (size_t)result->plies + 1,
                              sizeof(result->notes[0]));
    const GameClock *clock = &game->clock;
    result->notes[result->plies++] =
        (MoveNote){.time_ns = answer->used_ns,
                   .has_score = answer->info.has_score,
                   .score = sign * answer->info.score,
                   .depth = answer->info.depth,
                   .nodes = answer->info.nodes,
                   .left_ns = clock->tc[side].has_clock ? clock->left_ns[side] : -1,
                   .pv = result->pvs.len,
                   .pv_len = answer->pv.len};
    strbuf_add(&result->pvs, strbuf_view(&answer->pv));
}

static void play_move(Game *game, Color side, Move move) {
    StrBuf *moves = &game->result->moves;
    if (moves->len > 0) {
        strbuf_add_byte(moves, ' ');
    }
    usimove_append(move, moves);
    add_move_text(&game->position, move);
    pos_do(game->pos, move);
    note_move(game, side);
    if (game->setup->move != NULL) {
        game->setup->move(game->setup->context, game->pos, game->result);
    }
    end_if_over(game);
}

/* True if the game continues after this legal move. */
static bool continues_after(const Game *game, Move move) {
    pos_do(game->pos, move);
    bool continues = outcome_of(game->pos, &game->setup->rules).kind == KMD_END_NONE;
    pos_undo(game->pos);
    return continues;
}

/* Plays a legal move. If the scores say that the side has lost, it resigns instead, because every
 * record format can express a resignation by the side to move. */
static void play_or_adjudge(Game *game, Color side, Move move) {
    KmdWinner winner = KMD_WINNER_NONE;
    if (continues_after(game, move)) {
        winner = referee_adjudicate(&game->adjudicator, &game->setup->adjudication, side,
                                    &game->answer.info, game->pos->ply);
    }
    if (winner != outcome_winner(color_flip(side))) {
        play_move(game, side, move);
    }
    if (winner != KMD_WINNER_NONE) {
        end_game(game, winner,
                 winner == KMD_WINNER_DRAW ? ENDED_ADJUDGED_DRAW : ENDED_ADJUDGED_WIN);
    }
}

static void judge_answer(Game *game, Color side) {
    StrView text = strbuf_view(&game->answer.move);
    Move move = usimove_read(text);
    if (move == MOVE_RESIGN) {
        end_game(game, outcome_winner(color_flip(side)), ENDED_RESIGN);
    } else if (move == MOVE_WIN) {
        judge_declaration(game, side);
    } else {
        KmdLegality legality = legality_of(game->pos, move);
        if (legality == KMD_LEGAL) {
            play_or_adjudge(game, side, move);
            return;
        }
        end_by_fault(game, side, ENDED_ILLEGAL, "");
        strbuf_addf(&game->result->detail, "%.*s: %s", (int)text.len,
                    text.ptr != NULL ? text.ptr : "", legality_text(legality));
    }
}

/* Lets the player that has just moved ponder if it named a legal reply. The reply must not end the
 * game, because engines need not support positions without moves. */
static void start_ponder(Game *game, Color side) {
    Move reply = usimove_read(strbuf_view(&game->answer.ponder));
    if (!game->setup->ponders[side] || !move_is_legal(game->pos, reply) ||
        !continues_after(game, reply)) {
        return;
    }
    size_t len = game->position.len;
    add_move_text(&game->position, reply);
    player_ponder(game->setup->player[side], strbuf_view(&game->position), &game->clock, side);
    game->position.len = len;
    game->position.ptr[len] = '\0';
    game->ponder[side] = reply;
}

/* Plays one turn: asks for a move, measures the time, and judges the answer. */
static void play_turn(Game *game) {
    Color side = game->pos->side;
    Player *player = game->setup->player[side];
    bool is_hit = game->ponder[side] != MOVE_NONE && game->ponder[side] == game->pos->now->move;
    game->ponder[side] = MOVE_NONE;
    PlayerStatus status = player_think(player, strbuf_view(&game->position), &game->clock, side,
                                       is_hit, &game->answer);
    if (status != PLAYER_OK) {
        end_by_failure(game, side, status);
        return;
    }
    note_stats(game, side);
    int64_t budget_ns = timecontrol_budget_ns(&game->clock, side);
    if (!timecontrol_spend(&game->clock, side, game->answer.used_ns)) {
        end_by_fault(game, side, ENDED_TIME, "");
        strbuf_addf(&game->result->detail, "%.1f ms used of %.1f",
                    (double)game->answer.used_ns / 1e6, (double)budget_ns / 1e6);
        return;
    }
    judge_answer(game, side);
    if (!is_over(game)) {
        start_ponder(game, side);
    }
}

/* Waits for both players' readyok. A player that fails loses; if both fail, the player that was
 * asked first loses. */
static void prepare_players(Game *game) {
    for (int side = BLACK; side <= WHITE && !is_over(game); side++) {
        Player *player = game->setup->player[side];
        player_set_opponent(player, NULL);
        PlayerStatus status = player_prepare(player);
        if (status == PLAYER_HANGS || status == PLAYER_LATE) {
            end_by_fault(game, (Color)side, ENDED_NOT_READY, player_detail(player));
        } else if (status != PLAYER_OK) {
            end_by_failure(game, (Color)side, status);
        }
    }
    player_set_opponent(game->setup->player[BLACK], game->setup->player[WHITE]);
    player_set_opponent(game->setup->player[WHITE], game->setup->player[BLACK]);
}

static const char *result_word(KmdWinner winner, Color side) {
    return winner == KMD_WINNER_DRAW ? "draw" : winner == outcome_winner(side) ? "win" : "lose";
}

static void send_gameover(Game *game) {
    for (int side = BLACK; side <= WHITE; side++) {
        Player *player = game->setup->player[side];
        player_set_opponent(player, NULL);
        if (game->status == REFEREE_DONE) {
            player_end_game(player, result_word(game->result->winner, (Color)side));
        }
    }
}

RefereeStatus referee_play(const GameSetup *setup, Position *pos, GameResult *result) {
    Game game = {.setup = setup, .pos = pos, .result = result, .status = REFEREE_DONE};
    game.clock = timecontrol_start(setup->tc[BLACK], setup->tc[WHITE]);
    result->winner = KMD_WINNER_NONE;
    result->start_time = (int64_t)time(NULL);
    strbuf_add_str(&result->start, setup->start);
    strbuf_add_str(&game.position, setup->start);
    end_if_over(&game);
    prepare_players(&game);
    if (game.status == REFEREE_DONE && setup->begin != NULL) {
        setup->begin(setup->context);
    }
    while (!is_over(&game)) {
        play_turn(&game);
    }
    result->end_time = (int64_t)time(NULL);
    send_gameover(&game);
    strbuf_free(&game.position);
    player_answer_free(&game.answer);
    return game.status;
}
