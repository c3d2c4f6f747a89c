/* resources.h: allocates the hash table and threads of a command's engine. For the command's own
 * thread. */
#ifndef KMD_CMD_RESOURCES_H
#define KMD_CMD_RESOURCES_H

#include "command/command.h"
#include "engine/engine.h"

/* Allocates the table and threads that the user requested, which must be within the ranges of
 * USI_Hash and Threads. Returns false, after reporting it, if the system has less. */
bool resources_prepare(const CommandContext *context, Engine *engine,
                       EngineResources wanted) MUST_CHECK;

#endif
