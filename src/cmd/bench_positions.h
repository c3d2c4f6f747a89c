/* bench_positions.h: the lines of bench/positions.sfen, compiled in by the Makefile so that the
 * program works from any directory. */
#ifndef KMD_CMD_BENCH_POSITIONS_H
#define KMD_CMD_BENCH_POSITIONS_H

/* SFENs, and NULL after the last. */
extern const char *const bench_positions[];

#endif
