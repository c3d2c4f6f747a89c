/* referee.c: keeps the clocks, checks each move, adjudicates, and ends the game by the rules. */
#include "play/referee.h"

#include <stdlib.h>
#include <time.h>

#include "base/xmem.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* ---- Adjudication. ---- */

KmdWinner referee_adjudicate(Adjudicator *adjudicator, const AdjudicationOptions *options,
                             Color side, const UsiInfo *info, int ply) {
    bool has = info->has_score;
    int score = info->score, *losing = adjudicator->losing_run, *winning = adjudicator->winning_run;
    int *draw = adjudicator->draw_run;
    losing[side] = has && score <= -options->resign_score ? losing[side] + 1 : 0;
    winning[side] = has && score >= options->resign_score ? winning[side] + 1 : 0;
    draw[side] = has && abs(score) <= options->draw_score ? draw[side] + 1 : 0;
    const Color sides[] = {side, color_flip(side)};
    for (size_t i = 0; i < COUNTOF(sides) && options->resign_moves > 0; i++) {
        Color loser = sides[i], other = color_flip(loser);
        if (losing[loser] >= options->resign_moves &&
            (!options->is_resign_mutual || winning[other] >= options->resign_moves)) {
            return outcome_winner(other);
        }
    }
    bool is_drawn = options->draw_moves > 0 && ply >= options->draw_from_ply &&
                    draw[BLACK] >= options->draw_moves && draw[WHITE] >= options->draw_moves;
    return is_drawn ? KMD_WINNER_DRAW : KMD_WINNER_NONE;
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

static void set_result(Game *game, KmdWinner winner, EndReason reason) {
    game->result->winner = winner;
    game->result->reason = reason;
}

static bool is_game_over(const Game *game) {
    return game->status != REFEREE_DONE || game->result->winner != KMD_WINNER_NONE;
}

/* Ends the game because of a fault by `side`, which loses. */
static void end_by_fault(Game *game, Color side, EndReason reason, const char *detail) {
    set_result(game, outcome_winner(color_flip(side)), reason);
    strbuf_clear(&game->result->detail);
    strbuf_add_str(&game->result->detail, detail);
}

/* Ends the game because a player has failed. */
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
        set_result(game, outcome.winner, gameresult_reason_of(outcome.kind));
    }
}

/* True if the game continues after this legal move. */
static bool continues_after(const Game *game, Move move) {
    pos_do(game->pos, move);
    bool continues = outcome_of(game->pos, &game->setup->rules).kind == KMD_END_NONE;
    pos_undo(game->pos);
    return continues;
}

/* Carries out what a player answered in time: it resigns, declares a win, or plays a move. */
static void apply_answer(Game *game, Color side) {
    const OutcomeRules *rules = &game->setup->rules;
    StrView text = strbuf_view(&game->answer.move);
    Move move = usimove_read(text);
    if (move == MOVE_RESIGN) {
        set_result(game, outcome_winner(color_flip(side)), ENDED_RESIGN);
        return;
    }
    if (move == MOVE_WIN) {
        KmdDeclaration declared = declare_result(game->pos, rules->declare);
        if (declared == KMD_DECLARATION_REFUSED) {
            end_by_fault(game, side, ENDED_FALSE_WIN, declare_rule_name(rules->declare));
        } else {
            set_result(game,
                       declared == KMD_DECLARATION_WIN ? outcome_winner(side) : KMD_WINNER_DRAW,
                       ENDED_DECLARATION);
        }
        return;
    }
    KmdLegality legality = legality_of(game->pos, move);
    if (legality != KMD_LEGAL) {
        end_by_fault(game, side, ENDED_ILLEGAL, "");
        strbuf_addf(&game->result->detail, "%.*s: %s", (int)text.len,
                    text.ptr != NULL ? text.ptr : "", legality_text(legality));
        return;
    }
    /* If the scores say that the side has lost, it resigns instead of playing the move, because
     * every record format can express a resignation by the side to move. */
    KmdWinner winner = KMD_WINNER_NONE, other = outcome_winner(color_flip(side));
    if (continues_after(game, move)) {
        winner = referee_adjudicate(&game->adjudicator, &game->setup->adjudication, side,
                                    &game->answer.info, game->pos->ply);
    }
    if (winner != other) {
        MoveNote note = player_note(&game->answer, side);
        note.left_ns = game->clock.tc[side].has_clock ? game->clock.left_ns[side] : -1;
        player_append_move(&game->position, move);
        pos_do(game->pos, move);
        gameresult_add_move(game->result, move, note, strbuf_view(&game->answer.pv));
        if (game->setup->move != NULL) {
            game->setup->move(game->setup->context, game->pos, game->result);
        }
        end_if_over(game);
    }
    if (winner != KMD_WINNER_NONE) {
        set_result(game, winner,
                   winner == KMD_WINNER_DRAW ? ENDED_ADJUDGED_DRAW : ENDED_ADJUDGED_WIN);
    }
}

/* Plays one turn: asks for a move, keeps the clock, carries out the answer, and lets the player
 * ponder.
 */
static void play_turn(Game *game) {
    Color side = game->pos->side;
    Player *player = game->setup->player[side];
    PlayerAnswer *answer = &game->answer;
    bool is_hit = game->ponder[side] != MOVE_NONE && game->ponder[side] == game->pos->now->move;
    game->ponder[side] = MOVE_NONE;
    PlayerStatus status =
        player_think(player, strbuf_view(&game->position), &game->clock, side, is_hit, answer);
    if (status != PLAYER_OK) {
        end_by_failure(game, side, status);
        return;
    }

    bool has_nodes = answer->info.nodes > 0, has_depth = answer->info.depth > 0;
    const PlayerStats stats = {.moves = 1,
                               .time_ns = answer->used_ns,
                               .nodes = (int64_t)answer->info.nodes,
                               .nodes_time_ns = has_nodes ? answer->search_ns : 0,
                               .depth_sum = answer->info.depth,
                               .depth_moves = has_depth};
    gameresult_add_stats(&game->result->stats[side], &stats);
    int64_t budget_ns = timecontrol_budget_ns(&game->clock, side);
    if (!timecontrol_spend(&game->clock, side, answer->used_ns)) {
        end_by_fault(game, side, ENDED_TIME, "");
        strbuf_addf(&game->result->detail, "%.1f ms used of %.1f", (double)answer->used_ns / 1e6,
                    (double)budget_ns / 1e6);
        return;
    }

    apply_answer(game, side);
    if (is_game_over(game) || !game->setup->ponders[side]) {
        return;
    }
    /* The expected reply must not end the game, because engines need not support positions without
     * moves. */
    Move reply = usimove_read(strbuf_view(&answer->ponder));
    if (move_is_legal(game->pos, reply) && continues_after(game, reply)) {
        size_t len = game->position.len;
        player_append_move(&game->position, reply);
        player_ponder(player, strbuf_view(&game->position), &game->clock, side);
        game->position.len = len;
        game->position.ptr[len] = '\0';
        game->ponder[side] = reply;
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

    /* Wait for both players' readyok. A player that fails loses; if both fail, the player that was
     * asked first loses. */
    for (int side = BLACK; side <= WHITE && !is_game_over(&game); side++) {
        Player *player = setup->player[side];
        player_set_opponent(player, NULL);
        PlayerStatus status = player_prepare(player);
        if (status == PLAYER_HANGS || status == PLAYER_LATE) {
            end_by_fault(&game, (Color)side, ENDED_NOT_READY, player_detail(player));
        } else if (status != PLAYER_OK) {
            end_by_failure(&game, (Color)side, status);
        }
    }
    player_set_opponent(setup->player[BLACK], setup->player[WHITE]);
    player_set_opponent(setup->player[WHITE], setup->player[BLACK]);
    if (game.status == REFEREE_DONE && setup->begin != NULL) {
        setup->begin(setup->context);
    }

    while (!is_game_over(&game)) {
        play_turn(&game);
    }
    result->end_time = (int64_t)time(NULL);

    for (int side = BLACK; side <= WHITE; side++) {
        Player *player = setup->player[side];
        int sign = outcome_sign(result->winner, (Color)side);
        player_set_opponent(player, NULL);
        if (game.status == REFEREE_DONE) {
            player_end_game(player, sign > 0 ? "win" : sign < 0 ? "lose" : "draw");
        }
    }
    strbuf_free(&game.position);
    player_answer_free(&game.answer);
    return game.status;
}
