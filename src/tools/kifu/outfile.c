#include "tools/kifu/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Windows opens files as text unless told otherwise; elsewhere there is nothing to tell. */
#if !defined(O_BINARY)
#define O_BINARY 0
#endif

#define ASIDE_ATTEMPTS 1000

char *outfile_join(const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text == NULL) {
        fprintf(stderr, "komadori-kifu: out of memory\n");
        exit(2);
    }
    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static void release(OutFile *out) {
    free(out->path);
    free(out->aside);
    *out = (OutFile){.stream = NULL};
}

#if defined(_WIN32)

#define SEPARATORS "/\\"

static char *resolve(const char *path) {
    return outfile_join(path, "", "");
}

/* The whole path in small letters: this system looks names up in any case. */
static char *spell_out(const char *path) {
    char whole[_MAX_PATH];
    bool is_known = _fullpath(whole, path, sizeof(whole)) != NULL;
    char *text = outfile_join(is_known ? whole : path, "", "");
    for (char *c = text; *c != '\0'; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
    return text;
}

#else

#define SEPARATORS "/"

/* The file that symbolic links lead to; path itself where no file is. */
static char *resolve(const char *path) {
    char *real = realpath(path, NULL);
    return real != NULL ? real : outfile_join(path, "", "");
}

/* A text that other names of the file that is not there have too. */
static char *spell_out(const char *path) {
    while (strncmp(path, "./", 2) == 0) {
        path += 2;
    }
    return outfile_join(path, "", "");
}

#endif

const char *outfile_name(const char *path) {
    const char *name = path;
    for (; *path != '\0'; path++) {
        name = strchr(SEPARATORS, *path) != NULL ? path + 1 : name;
    }
    return name;
}

/* NULL with errno, and no file left, where there is no memory for a stream. */
static FILE *stream_of(int fd, const char *path) {
    FILE *stream = fdopen(fd, "wb");
    if (stream == NULL) {
        int error = errno;
        close(fd);
        remove(path);
        errno = error;
    }
    return stream;
}

/* A new file beside out->path under a name that nobody has; NULL with errno. */
static FILE *create_aside(OutFile *out) {
    for (int attempt = 0; attempt < ASIDE_ATTEMPTS; attempt++) {
        char tail[48];
        snprintf(tail, sizeof(tail), ".part-%ld-%d", (long)getpid(), attempt);
        char *aside = outfile_join(out->path, tail, "");
        int fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_BINARY, 0666);
        int error = errno;
        if (fd >= 0) {
            out->aside = aside;
            return stream_of(fd, aside);
        }
        free(aside);
        errno = error;
        if (error != EEXIST) {
            break;
        }
    }
    return NULL;
}

bool outfile_open(OutFile *out, const char *path) {
    *out = (OutFile){.stream = path == NULL ? stdout : NULL};
    if (path == NULL) {
        return true;
    }
    struct stat info;
    bool is_there = stat(path, &info) == 0, is_regular = !is_there || S_ISREG(info.st_mode);
    out->path = resolve(path);
    out->stream = is_regular ? create_aside(out) : fopen(path, "wb");
    if (out->stream == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        release(out);
        return false;
    }
    if (is_there && is_regular) {
        (void)chmod(out->aside, info.st_mode & 0777);
    }
    return true;
}

/* Windows renames over no file that is there, so that is removed first when it comes to it. */
static bool rename_over(const char *from, const char *to) {
    return rename(from, to) == 0 || (remove(to) == 0 && rename(from, to) == 0);
}

static bool close_file(OutFile *out, bool is_kept) {
    bool had_error = ferror(out->stream) != 0;
    bool is_good = fclose(out->stream) == 0 && !had_error;
    if (out->aside != NULL && is_kept && is_good) {
        is_good = rename_over(out->aside, out->path);
    }
    if (is_kept && !is_good) {
        fprintf(stderr, "%s: %s\n", out->path, strerror(errno));
    }
    if (out->aside != NULL && (!is_kept || !is_good)) {
        remove(out->aside);
    }
    return is_good || !is_kept;
}

bool outfile_close(OutFile *out, bool is_kept) {
    bool is_good = true;
    if (out->stream != NULL) {
        is_good = out->path != NULL ? close_file(out, is_kept) : fflush(out->stream) == 0;
    }
    release(out);
    return is_good;
}

char *outfile_identity(const char *path) {
    struct stat info;
    int status = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &info) : stat(path, &info);
    if (status == 0 && info.st_ino != 0) {
        char text[64];
        snprintf(text, sizeof(text), "//%llu:%llu", (unsigned long long)info.st_dev,
                 (unsigned long long)info.st_ino);
        return outfile_join(text, "", "");
    }
    return spell_out(path);
}

bool outfile_is_same(const char *a, const char *b) {
    char *of_a = outfile_identity(a), *of_b = outfile_identity(b);
    bool is_same = strcmp(of_a, of_b) == 0;
    free(of_a);
    free(of_b);
    return is_same;
}
