#include "cmd/mateunique.h"

#include "mate/matefutile.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* Asks about each answer to the check that has just been made in *pos; those that stay open are
 * kept in list, and their number in *count. */
static MateVerdict ask_answers(const UniqueAsker *asker, Position *pos, bool is_thorough,
                               Move *list, int *count) {
    int open = 0;
    for (int i = 0; i < *count; i++) {
        pos_do(pos, list[i]);
        MateVerdict verdict = asker->ask(asker->context, pos, is_thorough);
        pos_undo(pos);
        if (verdict == MATE_NONE) {
            return MATE_NONE;
        }
        if (verdict == MATE_UNKNOWN) {
            list[open++] = list[i];
        }
    }
    *count = open;
    return open > 0 ? MATE_UNKNOWN : MATE_FOUND;
}

/* Whether every answer to the check leads to mate. One that does not settles it, and is often found
 * by a quick look where another answer takes long. */
static MateVerdict verdict_of_check(const UniqueAsker *asker, Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    MateVerdict verdict = ask_answers(asker, pos, false, list, &count);
    return verdict == MATE_UNKNOWN ? ask_answers(asker, pos, true, list, &count) : verdict;
}

/* Tries the checks in *pos beside that of the line. */
static void try_others(const UniqueAsker *asker, Position *pos, const Move *line, int place,
                       UniqueResult *result) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, list);
    for (int i = 0; i < count; i++) {
        if (list[i] == line[place]) {
            continue;
        }
        pos_do(pos, list[i]);
        MateVerdict verdict = verdict_of_check(asker, pos);
        pos_undo(pos);
        result->open += verdict == MATE_UNKNOWN;
        if (verdict == MATE_FOUND) {
            asker->tell(asker->context, place, list[i]);
            result->others++;
        }
    }
}

UniqueResult mateunique_check(const UniqueAsker *asker, Position *pos, const Move *line,
                              int count) {
    UniqueResult result = {0, 0};
    int made = 0;
    for (; made < count; made++) {
        bool is_attack = made % 2 == 0;
        pos_do(pos, line[made]);
        bool is_last = is_attack && matefutile_is_mate(pos);
        pos_undo(pos);
        if (is_last) {
            break;
        }
        if (is_attack) {
            try_others(asker, pos, line, made, &result);
        }
        pos_do(pos, line[made]);
    }
    while (made-- > 0) {
        pos_undo(pos);
    }
    return result;
}
