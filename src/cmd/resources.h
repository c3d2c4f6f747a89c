/* resources.h: allocates the hash table and threads of a command's engine. For the command's own
 * thread. */
#ifndef KMD_CMD_RESOURCES_H
#define KMD_CMD_RESOURCES_H

#include "command/command.h"
#include "engine/engine.h"

/* Gives the engine the table and threads that a user asks for, which are within the ranges of
 * USI_Hash and Threads. False when the system has less; it has been said. */
bool resources_prepare(const CommandContext *context, Engine *engine,
                       EngineResources wanted) MUST_CHECK;

#endif
