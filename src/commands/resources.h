/* resources.h: allocates the hash table and creates the threads of a command's engine. Call it from
 * the command's own thread. */
#ifndef KMD_COMMANDS_RESOURCES_H
#define KMD_COMMANDS_RESOURCES_H

#include "engine/command.h"
#include "engine/engine.h"

/* Names the network to the engine, as the options of the session do or `path` does, if it is not
 * NULL. If it cannot be used, reports that and returns false. */
bool resources_set_net(const CommandContext *context, Engine *engine, const char *path) MUST_CHECK;

/* Allocates the table and creates the threads that the user requested. Both numbers must be within
 * the ranges of USI_Hash and Threads. If the system cannot provide them, reports that and returns
 * false. */
bool resources_prepare(const CommandContext *context, Engine *engine,
                       EngineResources wanted) MUST_CHECK;

#endif
