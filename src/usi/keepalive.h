/* keepalive.h: decides when a waiting client needs a sign that the engine is alive.
 *
 * Plain data; reads no clock and prints nothing. */
#ifndef KMD_USI_KEEPALIVE_H
#define KMD_USI_KEEPALIVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct KeepAlive {
    int64_t last_ms; /* when the client last heard from the engine */
} KeepAlive;

/* Starts a wait at `now_ms` of any clock. */
void keepalive_begin(KeepAlive *keepalive, int64_t now_ms);

/* True if a sign of life is due; it then counts as sent. Call it from time to time. */
bool keepalive_is_due(KeepAlive *keepalive, int64_t now_ms);

#endif
