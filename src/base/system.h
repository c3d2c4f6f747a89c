/* system.h: differences between operating systems, apart from child processes (proc.h).
 * system_posix.c and system_win.c implement it; the Makefile chooses.
 *
 * Only files in base/ may call these functions. Each serves one module of base/, whose header
 * describes it in full; the rest of Komadori uses that module. Safe from every thread. */
#ifndef KMD_BASE_SYSTEM_H
#define KMD_BASE_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct stat;

/* ---- files (fileio.h) ------------------------------------------------------------------------ */

/* Like open, but in binary mode and not inherited by child processes. New files get mode 0666. */
int system_open(const char *path, int flags);

/* Waits until a non-blocking descriptor can be read, or written. Returns false with errno on
 * failure. */
bool system_await_fd(int fd, bool is_to_write);

/* The length of a regular file, or -1. */
int64_t system_file_len(int fd);

/* Maps a file for reading; NULL on failure. If another program truncates the file, the missing
 * bytes read as zeros. */
void *system_map_file(int fd, size_t len);
void system_unmap_file(void *data, size_t len);

/* Waits until the written data is on the disk. Returns -1 with errno set on failure. A file that is
 * not on a disk is not an error. */
int system_sync_file(int fd);

/* Renames a file, replacing an existing one. Returns 0 or an errno value. */
int system_replace_file(const char *from, const char *to);

/* The path with its symbolic links resolved. NULL if the file does not exist or the system does not
 * follow links. The caller frees it. */
char *system_resolve(const char *path);

/* When the file was written last, in nanoseconds since any time. */
int64_t system_changed_ns(const char *path, const struct stat *info);

/* Gives fd the mode of another file, if the file system has modes. */
void system_copy_mode(int fd, const struct stat *from);

/* A canonical name of the file, or NULL if system_file_numbers identifies the file instead. The
 * caller frees it. */
char *system_unique_name(const char *path);

/* Returns numbers that identify the file, or standard input if path is NULL. Returns false if there
 * is no file or the system has no such numbers. */
bool system_file_numbers(const char *path, uint64_t numbers[2]);

/* Like mkdir. */
int system_make_folder(const char *path);

/* Like file_lock. */
bool system_lock_file(int fd) MUST_CHECK;

/* True if the character separates folders in a path. */
bool system_is_slash(char c);

/* The path of the running program; NULL if unknown. The caller frees it. */
char *system_program(void);

/* ---- memory (xmem.h) ------------------------------------------------------------------------- */

/* Allocates zeroed pages for `bytes` > 0, aligned to at least 64 bytes; NULL on failure. is_huge
 * requests huge pages if the system offers a choice. */
void *system_try_pages(size_t bytes, bool is_huge);
void system_free_pages(void *block, size_t bytes);

/* ---- threads (clock.h, cpu.h) -------------------------------------------------------------- */

/* Initialises a condition variable for system_cond_wait. */
void system_cond_init(pthread_cond_t *cond);

/* Waits until signalled, but at most `ns` nanoseconds (0 or more). The caller must hold `lock`. */
void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns);

/* The number of processors that this process may run on; below 1 if unknown. */
int system_cores(void);

#endif
