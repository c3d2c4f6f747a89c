/* connect.h: TCP connections to servers, which are then used like child processes (proc.h).
 *
 * connect_posix.c and connect_win.c implement it; the Makefile chooses. Safe from every thread. */
#ifndef KMD_BASE_CONNECT_H
#define KMD_BASE_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "base/proc.h"
#include "base/str.h"

/* Connects to a server. Waits for at most timeout_ms for each of the host's addresses. On failure
 * returns false with the reason, which names host and port, appended to *error. */
bool connect_tcp(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                 StrBuf *error) MUST_CHECK;

#endif
