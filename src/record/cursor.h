/* cursor.h: a position that moves through a record from node to node.
 *
 * A cursor belongs to one thread. The record must outlive the cursor. */
#ifndef KMD_RECORD_CURSOR_H
#define KMD_RECORD_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"
#include "rules/position.h"

/* A position that moves through a record. The position is the one after the move of `node` or, if
 * that is an ending, the position in which the line ended. */
typedef struct RecordCursor {
    const Record *record;
    Position pos;
    int node;
    int64_t spent_ms[COLOR_NB]; /* each side's time up to `node`; wrong after a time has changed */
    int *path;                  /* scratch memory for cursor_go */
    size_t path_cap;
} RecordCursor;

/* Places the cursor at the root. The record's start must be a legal set-up. The record must outlive
 * the cursor. Nodes may be added while the cursor is in use, but if the start changes, call
 * cursor_restart. */
void cursor_init(RecordCursor *cursor, const Record *record);
void cursor_restart(RecordCursor *cursor);
void cursor_free(RecordCursor *cursor);

/* Moves to any node along the shortest path. */
void cursor_go(RecordCursor *cursor, int node);

#endif
