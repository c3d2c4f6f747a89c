/* player.h: a USI engine as a child process that plays games.
 *
 * Whatever the engine does, every function returns within the time-outs of its PlayerOptions or of
 * the clock. A Player belongs to the thread that plays its games. Waiting for one player of a game
 * also reads the output of the other, so that neither can block. */
#ifndef KMD_PLAY_PLAYER_H
#define KMD_PLAY_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/proc.h"
#include "base/str.h"
#include "play/enginespec.h"
#include "play/gameresult.h"
#include "play/usiline.h"

/* The log of all communication with engines, which every thread may use. Each line of communication
 * becomes a line "SECONDS NAME[SLOT] > TEXT", with < instead of > for lines from the engine.
 * SECONDS is the time since the log was opened. */
typedef struct PlayerLog PlayerLog;

/* True if a file with these first bytes (30 or more, or all) is a log. */
bool player_log_is_start(StrView start);

/* Opens a log, to which new lines are appended. On failure returns NULL with the reason appended to
 * *error. */
PlayerLog *player_log_open(const char *path, StrBuf *error);

/* Adds the lines of text. log may be NULL. */
void player_log_add(PlayerLog *log, const char *name, int slot, char direction, StrView text);

/* Returns false if something could not be written. log may be NULL. */
bool player_log_close(PlayerLog *log);

/* Rules for all players of a tournament. */
typedef struct PlayerOptions {
    int64_t usi_ms;           /* how long usiok may take */
    int64_t ready_ms;         /* how long readyok may take */
    int64_t stop_ms;          /* how long the answer to stop may take */
    int64_t quit_ms;          /* how long the end after quit may take */
    int64_t hang_ms;          /* how long a move may take if no clock limits it */
    const char *declare_rule; /* sent as EnteringKingRule to engines that know the option */
    int max_plies;            /* sent as MaxMovesToDraw to engines that know it; 0: no limit */
    bool forbids_books;       /* set USI_OwnBook to false for engines that know the option */
    bool keeps_threads;       /* do not set Threads: the engine has the machine for itself */
    bool stops_late;          /* when the time for a move is up, send stop and take the answer */
} PlayerOptions;

/* Callbacks on the player's thread. `warn` is called whenever the user should know something about
 * an engine that can continue to play: it does not announce an option that the user sets, or
 * complains before readyok. */
typedef struct PlayerSink {
    void (*warn)(void *context, const char *engine, StrView text);
    void *context;
    PlayerLog *log; /* logs all lines of both directions; NULL: no log */
} PlayerSink;

typedef struct Player Player;

/* Creates a player; no process is started yet. `slot` distinguishes the processes of an engine in
 * the log. *has_spoken is shared by all players of the engine: it is false at first and becomes
 * true when one of the engine's processes has sent usiok (relaxed). Once *cancel is true, every
 * wait ends at once. All objects passed by pointer must outlive the player. */
Player *player_new(const EngineSpec *spec, const PlayerOptions *options, const PlayerSink *sink,
                   int slot, atomic_bool *has_spoken, const atomic_bool *cancel);

/* Ends the process, if there is one: sends quit, then kills the process if it does not end. */
void player_free(Player *player);

/* Sets the opponent from now on; NULL: none. */
void player_set_opponent(Player *player, Player *opponent);

/* Another source of lines, such as the connection to a server. While the player waits, `on_other`
 * is called whenever that source may have lines or may have ended. `on_other` takes the lines; when
 * it returns true, the wait ends with PLAYER_CANCELLED. */
void player_set_other_source(Player *player, Proc *other, bool (*on_other)(void *context),
                             void *context);

/* The result of waiting for an answer. */
typedef enum PlayerStatus {
    PLAYER_OK,
    PLAYER_NO_EXEC,  /* the program cannot be started, or none of its processes has sent usiok */
    PLAYER_LATE,     /* no answer came within the clock's time */
    PLAYER_HANGS,    /* no answer came within the time-out */
    PLAYER_CRASHED,  /* the process ended */
    PLAYER_UNASKED,  /* a bestmove that it did not owe */
    PLAYER_CANCELLED /* *cancel became true */
} PlayerStatus;

/* Describes the last failure; empty if there was none. Valid until the next call. */
const char *player_detail(const Player *player);

/* Sets the setoption lines that will be sent before each isready from now on. The lines are
 * copied. */
void player_set_values(Player *player, StrView lines);

/* Kills the process, if there is one; player_prepare then starts a new one. */
void player_restart(Player *player);

/* Starts the process if there is none, waits for readyok, and announces a new game. */
PlayerStatus player_prepare(Player *player);

/* The engine's answer to go. */
typedef struct PlayerAnswer {
    StrBuf move;     /* the word after bestmove */
    StrBuf ponder;   /* the expected reply, may be empty */
    int64_t used_ns; /* time used on the player's clock */
    int64_t
        search_ns; /* duration of the search in which the nodes were counted, including pondering */
    UsiInfo info;
    StrBuf pv; /* the line reported with the score, as the engine wrote it */
} PlayerAnswer;

void player_answer_free(PlayerAnswer *answer);

/* What the player `side` reported with its move, without the time left on its clock. */
MoveNote player_note(const PlayerAnswer *answer, Color side);

/* Appends a move to the USI text of a position. */
void player_append_move(StrBuf *position, Move move);

/* Ends a search whose answer is not needed any more, such as pondering on a move that was not
 * played. player_think does so too, but an engine may take a while to stop: call this first if that
 * time runs on the engine's clock. */
PlayerStatus player_stop(Player *player);

/* Asks for a move. `position` is "startpos moves ..." or similar. is_hit is true if the engine is
 * pondering on exactly this position; if it has already answered, that answer is used and took no
 * time. PLAYER_LATE means that the clock ran out and no answer was there. An answer that is there
 * is returned however late it was read, and the caller checks whether used_ns was within the
 * budget. */
PlayerStatus player_think(Player *player, StrView position, const GameClock *clock, Color side,
                          bool is_hit, PlayerAnswer *answer);

/* Lets the engine ponder on a position, which ends with the expected reply. */
void player_ponder(Player *player, StrView position, const GameClock *clock, Color side);

/* True if the process has ended, or none has been started. */
bool player_has_ended(const Player *player);

/* Waits until the other source has a line or has ended, or until the deadline, and reads the
 * player's output meanwhile. */
void player_wait(Player *player, int64_t deadline_ns);

/* Ends the game: stops a running search and sends gameover. `result` is "win", "lose" or "draw". */
void player_end_game(Player *player, const char *result);

#endif
