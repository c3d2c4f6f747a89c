/* resources.h: gives a command's engine its network, hash table and threads. Call it from the
 * command's own thread. */
#ifndef KMD_COMMANDS_RESOURCES_H
#define KMD_COMMANDS_RESOURCES_H

#include "engine/command.h"
#include "engine/engine.h"

/* Names the network to the engine, as the options of the session do or `path` does, if it is not
 * NULL. */
void resources_set_net(const CommandContext *context, Engine *engine, const char *path);

/* Loads the network, allocates the table and creates the threads that the user requested. Both
 * numbers must be within the ranges of USI_Hash and Threads. If the network cannot be used or the
 * system cannot provide them, reports that and returns false. */
bool resources_prepare(const CommandContext *context, Engine *engine,
                       EngineResources wanted) MUST_CHECK;

#endif
