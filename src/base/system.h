/* system.h: what differs between operating systems, apart from child processes (proc.h).
 *
 * system_posix.c and system_win.c implement it; the Makefile chooses. Only base/ may call it: each
 * function belongs to a module of base/, whose header describes it in full and which the rest of
 * Komadori uses. Safe from every thread, except the terminal, which belongs to one. */
#ifndef KMD_BASE_SYSTEM_H
#define KMD_BASE_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct stat;

/* ---- files (fileio.h) ------------------------------------------------------------------------ */

/* As open, in binary mode, and not inherited by child processes. New files get mode 0666.
 */
int system_open(const char *path, int flags);

/* Waits until a descriptor that is set not to block can be read, or written. False, with errno,
 * when that cannot be found out. */
bool system_await_fd(int fd, bool is_to_write);

/* The length of a regular file, or -1. */
int64_t system_file_len(int fd);

/* Maps a file for reading; NULL when that cannot be done. */
void *system_map_file(int fd, size_t len);
void system_unmap_file(void *data, size_t len);

/* Waits until what was written is on the disk. -1 with errno; what has no disk is no failure. */
int system_sync_file(int fd);

/* Renames over a file that may be there. 0 or an errno value. */
int system_replace_file(const char *from, const char *to);

/* The file that symbolic links lead to, to be freed; NULL where no file is, or where links are not
 * followed. */
char *system_resolve(const char *path);

/* Gives fd the mode of another file, where the file system has modes. */
void system_copy_mode(int fd, const struct stat *from);

/* A name that all names of the file lead to, to be freed; NULL where system_file_numbers tells it.
 */
char *system_unique_name(const char *path);

/* Numbers that are those of no other file; of standard input for NULL. False where there is no file
 * or no numbers. */
bool system_file_numbers(const char *path, uint64_t numbers[2]);

/* As mkdir. */
int system_make_folder(const char *path);

/* As file_lock. */
bool system_lock_file(int fd) MUST_CHECK;

/* Whether a path is divided there. */
bool system_is_slash(char c);

/* The path of the running program, to be freed; NULL where it is not known. */
char *system_program(void);

/* ---- memory (xmem.h) ------------------------------------------------------------------------- */

/* Zeroed pages for `bytes` > 0, at a multiple of 64 at least; NULL when there are none. is_huge
 * asks for huge pages where there is a choice. */
void *system_try_pages(size_t bytes, bool is_huge);
void system_free_pages(void *block, size_t bytes);

/* As xmem_zero_large. */
void system_zero_pages(void *part, size_t bytes);

/* ---- threads (condvar.h, cpu.h) -------------------------------------------------------------- */

/* For use with system_cond_wait. */
void system_cond_init(pthread_cond_t *cond);

/* Waits, with `lock` held, until signalled or for `ns` nanoseconds, at least 0. */
void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns);

/* The number of processors that this process may run on; below 1 when not known. */
int system_cores(void);

/* ---- the terminal (terminal.h) --------------------------------------------------------------- */

/* The size of the terminal in characters; false if it is unknown. */
bool system_terminal_size(int fd, int *columns, int *rows);

/* As terminal_begin_keys, terminal_end_keys and terminal_read_key. */
bool system_begin_keys(void);
void system_end_keys(void);
int system_read_key(void);

#endif
