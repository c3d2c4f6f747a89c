/* cursor.h: a position that walks over a record, from node to node.
 *
 * Belongs to one thread; the record must outlive it. */
#ifndef KMD_KIFU_CURSOR_H
#define KMD_KIFU_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "kifu/record.h"
#include "rules/position.h"

/* A position that walks over a record. It is at `node`, with the position after that node's move
 * (for an ending: where the ending happened). */
typedef struct RecordCursor {
    const Record *record;
    Position pos;
    int node;
    int64_t spent_ms[COLOR_NB]; /* by the times on the way here; right while no time is changed */
    int *path;                  /* scratch for cursor_go */
    size_t path_cap;
} RecordCursor;

/* Starts at the root. The record's start must be a legal set-up. The record must outlive the
 * cursor; nodes may be added meanwhile, but the start may only change with cursor_restart. */
void cursor_init(RecordCursor *cursor, const Record *record);
void cursor_restart(RecordCursor *cursor);
void cursor_free(RecordCursor *cursor);

/* Walks to any node by the shortest way. */
void cursor_go(RecordCursor *cursor, int node);

#endif
