/* csaclient.h: plays games on a CSA server with a USI engine, and prints what happens.
 *
 * Everything runs on the calling thread. The connection and the engine may fail at any moment: a
 * lost connection is opened again, and an engine that ends or hangs is started again in the middle
 * of the game. */
#ifndef KMD_CSA_CSACLIENT_H
#define KMD_CSA_CSACLIENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "play/enginespec.h"
#include "play/gamerecord.h"
#include "play/player.h"

/* The user's options. */
typedef struct CsaOptions {
    const char *host;
    const char *port;
    const char *name;     /* the name to log in with */
    const char *password; /* never printed, logged or recorded */
    const char *game;     /* the kind of game, which goes before the password; NULL: none */
    EngineSpec engine;
    PlayerOptions options;
    KmdDeclareRule declare; /* rules.declare_rule is its name */
    GameRecordOptions records;
    const char *log_path;
    int games;        /* end after this many games with a result; 0: never */
    int margin_ms;    /* part of each move's time that the engine must not use */
    int comments;     /* 0: if the server is known to understand them; 1: always; 2: never */
    int64_t retry_ms; /* the first pause before the connection is opened again */
    const char *event;
} CsaOptions;

typedef enum CsaStatus {
    CSA_DONE,        /* all games were played */
    CSA_INTERRUPTED, /* *stops was set */
    CSA_FAILED       /* a line that was printed says why */
} CsaStatus;

/* Plays until options->games games are over. Set *stops to 1 to end after the game in progress, and
 * to 2 to end now; *cancel must then be set too, because it ends every wait for the engine. */
CsaStatus csaclient_run(const CsaOptions *options, const atomic_int *stops,
                        const atomic_bool *cancel);

#endif
