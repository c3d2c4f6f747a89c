/* cmdengine.h: the engine of a command that searches with the table and threads its user asks for.
 */
#ifndef KMD_CMD_CMDENGINE_H
#define KMD_CMD_CMDENGINE_H

#include "engine/engine.h"
#include "usi/command.h"

/* Gives the engine what is wanted, which is within the ranges of USI_Hash and Threads. False, with
 * a line that says so for `command`, when the system has less. */
bool cmdengine_prepare(const CommandContext *context, const char *command, Engine *engine,
                       EngineResources wanted);

#endif
