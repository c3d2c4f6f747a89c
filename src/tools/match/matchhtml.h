/* matchhtml.h: the page of -html: how a tournament stands, as tables and curves, in one file that
 * needs no other. */
#ifndef KMD_MATCH_MATCHHTML_H
#define KMD_MATCH_MATCHHTML_H

#include "tools/match/settings.h"
#include "tools/match/standings.h"

/* Writes settings->html_path. False, with the reason in errno, when it cannot be written. */
bool matchhtml_write(const MatchSettings *settings, const Standings *standings) MUST_CHECK;

#endif
