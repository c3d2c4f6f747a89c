/* compliance.h: tests whether an engine speaks USI as GUIs need it. The test covers the
 * requirements of Isozaki's definition (Shogidokoro) and of common clients (ShogiHome, cshogi,
 * lishogi) one by one. */
#ifndef KMD_MATCH_COMPLIANCE_H
#define KMD_MATCH_COMPLIANCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "play/player.h"

/* Starts the engine several times. Writes a line for each requirement to `out`, "pass WHAT" or
 * "FAIL WHAT: why", and then the counts. Returns true if the engine meets all requirements. Setting
 * *cancel ends the test: nothing is written about the requirement being tested, and the result is
 * false. */
bool compliance_run(const EngineSpec *engine, const PlayerOptions *options, FILE *out,
                    const atomic_bool *cancel) MUST_CHECK;

#endif
