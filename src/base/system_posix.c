/* system_posix.c: the system functions for Linux, macOS and other POSIX systems. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

#define NS_PER_S  ((int64_t)1000000000)
#define HUGE_PAGE ((size_t)2 << 20)

/* ---- files ----------------------------------------------------------------------------------- */

/* Child processes do not inherit opened files. */
int system_open(const char *path, int flags) {
    return open(path, flags | O_CLOEXEC, 0666);
}

/* Waits until fd can be read, or written. Returns false with errno on failure. */
bool system_await_fd(int fd, bool is_to_write) {
    struct pollfd wait = {.fd = fd, .events = is_to_write ? POLLOUT : POLLIN};
    return poll(&wait, 1, -1) > 0 || errno == EINTR;
}

/* The length of a regular file, or -1. */
int64_t system_file_len(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : -1;
}

/* The files that are mapped now. If there are more, the others are not protected. */
enum { MAPS = 64 };

static struct {
    _Atomic uintptr_t start; /* 0: free */
    _Atomic uintptr_t end;
} maps[MAPS];

/* Another program may cut a mapped file. What is lost then reads as zeros, where the process would
 * otherwise end. The code of the signal does not tell: macOS on ARM gives the same one to all. */
static void on_lost_page(int number, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t at = (uintptr_t)info->si_addr, size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)(at / size * size);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    bool is_mapped = false;
    for (int i = 0; i < MAPS; i++) {
        is_mapped |= at >= atomic_load(&maps[i].start) && at < atomic_load(&maps[i].end);
    }
    if (!is_mapped || mmap(page, size, PROT_READ, flags, -1, 0) == MAP_FAILED) {
        signal(number, SIG_DFL); /* the fault comes again */
    }
}

void *system_map_file(int fd, size_t len) {
    /* Handle the signal of a lost page unless somebody else does. */
    struct sigaction now;
    if (sigaction(SIGBUS, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
        now.sa_handler == SIG_DFL) {
        struct sigaction handler = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
        sigemptyset(&handler.sa_mask);
        (void)sigaction(SIGBUS, &handler, NULL);
    }
    void *data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
        return NULL;
    }
    for (int i = 0; i < MAPS; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&maps[i].start, &none, (uintptr_t)data)) {
            atomic_store(&maps[i].end, (uintptr_t)data + len);
            break;
        }
    }
    return data;
}

void system_unmap_file(void *data, size_t len) {
    for (int i = 0; i < MAPS; i++) {
        if (atomic_load(&maps[i].start) == (uintptr_t)data) {
            atomic_store(&maps[i].end, 0);
            atomic_store(&maps[i].start, 0);
            break;
        }
    }
    munmap(data, len);
}

/* Pipes and terminals cannot be synchronised. The EINVAL that they give is not treated as a
 * failure. */
int system_sync_file(int fd) {
    return fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS ? -1 : 0;
}

int system_replace_file(const char *from, const char *to) {
    return rename(from, to) == 0 ? 0 : errno;
}

char *system_resolve(const char *path) {
    return realpath(path, NULL);
}

#if defined(__APPLE__)
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif

int64_t system_changed_ns(const char *path, const struct stat *info) {
    (void)path;
    return info->CHANGED.tv_sec * NS_PER_S + info->CHANGED.tv_nsec;
}

/* Ignores errors, because a file system without modes has nothing to copy. */
void system_copy_mode(int fd, const struct stat *from) {
    if (fchmod(fd, from->st_mode & 0777) != 0) {
        errno = 0;
    }
}

char *system_unique_name(const char *path) {
    (void)path;
    return NULL;
}

bool system_file_numbers(const char *path, uint64_t numbers[2]) {
    struct stat info;
    if ((path == NULL ? fstat(STDIN_FILENO, &info) : stat(path, &info)) != 0) {
        return false;
    }
    numbers[0] = (uint64_t)info.st_dev;
    numbers[1] = (uint64_t)info.st_ino;
    return true;
}

int system_make_folder(const char *path) {
    return mkdir(path, 0777);
}

bool system_lock_file(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool system_is_slash(char c) {
    return c == '/';
}

/* Reads Linux's link to the running program. */
char *system_program(void) {
    return realpath("/proc/self/exe", NULL);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The size of the mapping for a block of `bytes`: it consists of whole huge pages, so that the last
 * page can be huge too. Returns 0 on overflow. */
static size_t mapped_bytes(size_t bytes) {
    size_t rounded;
    if (__builtin_add_overflow(bytes, HUGE_PAGE - 1, &rounded)) {
        return 0;
    }
    return rounded & ~(HUGE_PAGE - 1);
}

#if defined(__linux__)

/* The call is only advice, so errors are ignored: with other pages the block is only a little
 * slower. */
static void advise(void *block, size_t len, bool is_huge) {
    madvise(block, len, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

#else

static void advise(void *block, size_t len, bool is_huge) {
    (void)block;
    (void)len;
    (void)is_huge;
}

#endif

void *system_try_pages(size_t bytes, bool is_huge) {
    size_t len = mapped_bytes(bytes);
    size_t total;
    if (len == 0 || __builtin_add_overflow(len, HUGE_PAGE, &total)) {
        return NULL;
    }
    char *raw = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
        return NULL;
    }
    /* One more huge page than needed was mapped. Unmap the memory outside the aligned part. */
    size_t before = (size_t)(-(uintptr_t)raw & (HUGE_PAGE - 1));
    size_t after = HUGE_PAGE - before;
    if (before > 0) {
        munmap(raw, before);
    }
    if (after > 0) {
        munmap(raw + before + len, after);
    }
    advise(raw + before, len, is_huge);
    return raw + before;
}

void system_free_pages(void *block, size_t bytes) {
    munmap(block, mapped_bytes(bytes));
}

/* ---- threads --------------------------------------------------------------------------------- */

static struct timespec timespec_of(int64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

#if defined(__APPLE__)

/* On macOS, a wait with a deadline can use only the wall clock, which may be set back. A wait for a
 * length of time needs no clock. */
void system_cond_init(pthread_cond_t *cond) {
    pthread_cond_init(cond, NULL);
}

void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns) {
    struct timespec left = timespec_of(ns);
    pthread_cond_timedwait_relative_np(cond, lock, &left);
}

#else

void system_cond_init(pthread_cond_t *cond) {
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void system_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until = timespec_of(until.tv_sec * NS_PER_S + until.tv_nsec + ns);
    pthread_cond_timedwait(cond, lock, &until);
}

#endif

#if defined(__linux__)

int system_cores(void) {
    cpu_set_t allowed;
    /* This call fails on machines with more processors than a cpu_set_t has bits. */
    return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : CPU_SETSIZE;
}

#else

int system_cores(void) {
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

#endif
