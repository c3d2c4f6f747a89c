/* system.h: differences between operating systems, apart from child processes (proc.h).
 * system_posix.c and system_win.c implement it; the Makefile chooses.
 *
 * Only base/ may call it: each function belongs to a module of base/, whose header describes it in
 * full and which the rest of Komadori uses. Safe from every thread, except the terminal, which
 * belongs to one thread. */
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

/* Maps a file for reading; NULL on failure. */
void *system_map_file(int fd, size_t len);
void system_unmap_file(void *data, size_t len);

/* Waits until the written data is on the disk. Returns -1 with errno; a file without a disk is not
 * an error. */
int system_sync_file(int fd);

/* Renames a file, replacing an existing one. Returns 0 or an errno value. */
int system_replace_file(const char *from, const char *to);

/* The target of symbolic links, to be freed; NULL if it does not exist or links are not followed.
 * */
char *system_resolve(const char *path);

/* Gives fd the mode of another file, if the file system has modes. */
void system_copy_mode(int fd, const struct stat *from);

/* A name that is the same for all names of the file, to be freed; NULL if system_file_numbers
 * identifies it. */
char *system_unique_name(const char *path);

/* Numbers that identify the file; for NULL, standard input. Returns false if there is no file or no
 * such numbers. */
bool system_file_numbers(const char *path, uint64_t numbers[2]);

/* As mkdir. */
int system_make_folder(const char *path);

/* As file_lock. */
bool system_lock_file(int fd) MUST_CHECK;

/* True if the character separates folders in a path. */
bool system_is_slash(char c);

/* The path of the running program, to be freed; NULL if unknown. */
char *system_program(void);

/* ---- memory (xmem.h) ------------------------------------------------------------------------- */

/* Zeroed pages for `bytes` > 0, aligned to at least 64 bytes; NULL on failure. is_huge asks for
 * huge pages if the system offers a choice. */
void *system_try_pages(size_t bytes, bool is_huge);
void system_free_pages(void *block, size_t bytes);

/* As xmem_zero_large. */
void system_zero_pages(void *part, size_t bytes);

/* ---- threads (condvar.h, cpu.h) -------------------------------------------------------------- */

/* For use with system_cond_wait. */
void system_cond_init(pthread_cond_t *cond);

/* Waits, with `lock` held, until signalled or for `ns` nanoseconds (at least 0). */
void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns);

/* The number of processors that this process may run on; below 1 if unknown. */
int system_cores(void);

/* ---- the terminal (terminal.h) --------------------------------------------------------------- */

/* The size of the terminal in characters; false if it is unknown. */
bool system_terminal_size(int fd, int *columns, int *rows);

/* See terminal_begin_keys, terminal_end_keys and terminal_read_key. */
bool system_begin_keys(void);
void system_end_keys(void);
int system_read_key(void);

#endif
