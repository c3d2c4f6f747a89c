/* traffic.h: the log of all communication with the engines. Safe from every thread. */
#ifndef KMD_PLAY_TRAFFIC_H
#define KMD_PLAY_TRAFFIC_H

#include <stdbool.h>

#include "base/str.h"

/* Each line of communication becomes a line "SECONDS NAME[SLOT] > TEXT", with < instead of > for
 * lines from the engine. SECONDS is the time since the log was opened. */
typedef struct TrafficLog TrafficLog;

/* True if a file with these first bytes (30 or more, or all) is a log. */
bool traffic_is_log(StrView start);

/* Opens a log, to which new lines are appended. On failure returns NULL with the reason appended to
 * *error. */
TrafficLog *traffic_open(const char *path, StrBuf *error);

/* Adds the lines of text. log may be NULL. */
void traffic_add(TrafficLog *log, const char *name, int slot, char direction, StrView text);

/* Returns false if something could not be written. log may be NULL. */
bool traffic_close(TrafficLog *log);

#endif
