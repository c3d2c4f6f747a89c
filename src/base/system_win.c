/* system_win.c: the system functions for Windows. */
#include "base/system.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S ((int64_t)1000000000)

/* ---- files ----------------------------------------------------------------------------------- */

/* Without O_BINARY, Windows opens files as text. */
int system_open(const char *path, int flags) {
    return open(path, flags | O_BINARY | O_NOINHERIT, 0666);
}

/* Windows has no non-blocking descriptors. */
bool system_await_fd(int fd, bool is_to_write) {
    (void)fd;
    (void)is_to_write;
    return false;
}

/* The length of a regular file, or -1. The system's own stat is limited to 32 bits. */
int64_t system_file_len(int fd) {
    struct stat info;
    bool is_special = fstat(fd, &info) == 0 && !S_ISREG(info.st_mode);
    return is_special ? -1 : _filelengthi64(fd);
}

void *system_map_file(int fd, size_t len) {
    (void)fd;
    (void)len;
    return NULL;
}

void system_unmap_file(void *data, size_t len) {
    (void)data;
    (void)len;
}

/* A pipe or a console cannot be synchronised. This is not treated as a failure. */
int system_sync_file(int fd) {
    return _commit(fd) != 0 && errno != EBADF ? -1 : 0;
}

/* Replaces an existing file, which rename() refuses on Windows. */
int system_replace_file(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : EACCES;
}

char *system_resolve(const char *path) {
    (void)path;
    return NULL;
}

/* The times of stat are whole seconds, in which a file may be written twice. */
int64_t system_changed_ns(const char *path, const struct stat *info) {
    WIN32_FILE_ATTRIBUTE_DATA data;
    if (!GetFileAttributesExA(path, GetFileExInfoStandard, &data)) {
        return (int64_t)info->st_mtime * NS_PER_S;
    }
    /* In units of 100 ns since 1601; modulo 2^64. */
    uint64_t time = (uint64_t)data.ftLastWriteTime.dwHighDateTime << 32;
    return (int64_t)((time | data.ftLastWriteTime.dwLowDateTime) * 100);
}

void system_copy_mode(int fd, const struct stat *from) {
    (void)fd;
    (void)from;
}

/* Returns the full path in lower case, because Windows ignores case in names. */
char *system_unique_name(const char *path) {
    char *whole = _fullpath(NULL, path, 0);
    for (char *c = whole; c != NULL && *c != '\0'; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
    return whole;
}

bool system_file_numbers(const char *path, uint64_t numbers[2]) {
    (void)path;
    (void)numbers;
    return false;
}

int system_make_folder(const char *path) {
    return mkdir(path);
}

/* On Windows, locks also block readers, so a byte beyond the end of any file is locked. */
bool system_lock_file(int fd) {
    OVERLAPPED place = {.OffsetHigh = 0x40000000};
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) ||
           GetLastError() != ERROR_LOCK_VIOLATION;
}

bool system_is_slash(char c) {
    return c == '/' || c == '\\';
}

char *system_program(void) {
    char path[MAX_PATH];
    DWORD len = GetModuleFileNameA(NULL, path, MAX_PATH);
    return len > 0 && len < MAX_PATH ? _strdup(path) : NULL; /* a longer path was truncated */
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* New pages are zeroed, and aligned to 64 KiB. */
void *system_try_pages(size_t bytes, bool is_huge) {
    (void)is_huge;
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void system_free_pages(void *block, size_t bytes) {
    (void)bytes;
    VirtualFree(block, 0, MEM_RELEASE);
}

/* ---- threads --------------------------------------------------------------------------------- */

static struct timespec timespec_of(int64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

/* On Windows, a wait with a deadline can use only the wall clock, which may be set back. A wait for
 * a length of time needs no clock. */
void system_cond_init(pthread_cond_t *cond) {
    pthread_cond_init(cond, NULL);
}

void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns) {
    struct timespec left = timespec_of(ns);
    pthread_cond_timedwait_relative_np(cond, lock, &left);
}

int system_cores(void) {
    return pthread_num_processors_np();
}
