/* fileio.h: lines of any length, whole files, and files that are written under a temporary name and
 * then renamed.
 *
 * Functions that can fail return 0 or an errno value (file_error_text gives its words); they print
 * nothing. Each reader, map and writer belongs to one thread at a time. Non-blocking descriptors
 * work too: the functions wait for them. */
#ifndef KMD_BASE_FILEIO_H
#define KMD_BASE_FILEIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "base/linebuf.h"
#include "base/str.h"

/* The system's text for an errno value. */
const char *file_error_text(int error);

/* Reads lines from a file descriptor. A line is returned as soon as its LF has arrived, so pipes
 * and terminals work. */
typedef struct LineReader {
    int fd;
    int error; /* errno value of the failed read; 0: none */
    bool is_at_end;
    LineBuf buf;
} LineReader;

/* The caller still owns the descriptor. */
void file_lines_init(LineReader *lines, int fd);
void file_lines_free(LineReader *lines);

/* Waits for the next line and returns it without its LF or CR LF; it is valid until the next call.
 * The last line needs no LF. Returns false at the end of the file and after an error
 * (lines->error). */
bool file_lines_next(LineReader *lines, StrView *line);

/* Writes all of the text to a file descriptor. */
int file_write_fd(int fd, StrView text) MUST_CHECK;

/* Appends the whole file to *out. On failure *out may contain a part of it. */
int file_read(const char *path, StrBuf *out) MUST_CHECK;

/* 0 if path is a regular file, /dev/null, or does not exist; otherwise an errno value: EISDIR for a
 * folder, EINVAL for a pipe or a device, because opening it might block. */
int file_check_regular(const char *path) MUST_CHECK;

/* The beginning of a file, to recognise its kind before it is read. */
enum { FILE_START_MOST = 64 };

typedef struct FileStart {
    char bytes[FILE_START_MOST];
    size_t len;
    bool is_regular; /* if false the rest is not set, because a pipe can be read only once */
    uint64_t file_len;
} FileStart;

/* Reads the first `len` bytes, at most FILE_START_MOST, or fewer if the file is shorter. Returns 0
 * or an errno value. */
int file_read_start(const char *path, size_t len, FileStart *start) MUST_CHECK;

/* A whole file, read only. Mapped if the system can do that (then at a page boundary), otherwise
 * read. ENOMEM if the file is too large for either. */
typedef struct FileMap {
    const unsigned char *data; /* NULL for an empty file */
    size_t len;
    bool is_mapped;
} FileMap;

int file_map(const char *path, FileMap *map) MUST_CHECK;
void file_unmap(FileMap *map);

/* A file that is being written under a temporary name: the old contents stay until file_commit.
 * Write to `stream` with stdio; file_commit reports its errors. */
typedef struct FileWriter {
    FILE *stream;
    StrBuf path;
    StrBuf aside; /* empty if path is not a regular file (a pipe, a device); it is then written
                     directly */
} FileWriter;

/* Opens a new file next to path; if path is a symbolic link, next to its target. The new file gets
 * the mode of an existing one. */
int file_begin(FileWriter *writer, const char *path) MUST_CHECK;

/* As file_begin, but the temporary name is always `path` plus ".part", and the stream continues
 * after what an earlier run left there. */
int file_begin_after(FileWriter *writer, const char *path) MUST_CHECK;

/* Checks that file_begin would succeed, before long work whose result goes into the file. Leaves no
 * file behind, and opens no pipe or device. */
int file_check_write(const char *path) MUST_CHECK;

/* Flushes, closes and renames. The writer is finished in any case. On failure path is unchanged and
 * the temporary file is removed. */
int file_commit(FileWriter *writer) MUST_CHECK;

/* Closes and removes the temporary file. */
void file_abandon(FileWriter *writer);

/* Closes the temporary file and keeps it, so that its contents can be saved. Appends its name to
 * *where, or nothing if path was written directly. */
void file_leave_aside(FileWriter *writer, StrBuf *where);

/* Opens a file, pipe or device to write at its end. Like everything that this module opens, it is
 * not inherited by child processes. */
int file_append(const char *path, FILE **stream) MUST_CHECK;

/* Shortens a file that is open for writing to its first `len` bytes; the stream continues there. */
int file_cut(FILE *stream, size_t len) MUST_CHECK;

/* Locks the file against other processes that call this, as long as the stream is open. False if
 * another process has the lock; true if the file system has no locks. Readers are not affected. */
bool file_lock(FILE *stream) MUST_CHECK;

/* The part of a path after the last slash, of either kind. */
StrView file_name(StrView path);

/* True if both names mean the same file, which need not exist yet. "-" is standard input. */
bool file_is_same(const char *a, const char *b);

/* Appends a text that is the same for all names of one file. */
void file_identity(const char *path, StrBuf *out);

/* Makes a folder and those above it, unless they exist. Returns 0 or an errno value. */
bool file_is_folder(const char *path);
int file_make_folder(const char *path) MUST_CHECK;

/* True if the name ends in a slash of either kind, or is an existing folder. */
bool file_names_folder(const char *path);

/* Appends the path of a file in a folder. */
void file_join(const char *folder, StrView name, StrBuf *out);

/* Appends the names of the files in a folder, sorted, one per line. */
int file_list(const char *path, StrBuf *out) MUST_CHECK;

/* True if `path` is a regular file that begins with `start`. Anything else (a pipe, a device) is
 * not opened. */
bool file_begins_with(const char *path, StrView start);

/* Appends `path` relative to the folder of the running program. Returns false, with nothing
 * appended, if that folder is unknown, or if the path begins with a slash of either kind. */
bool file_beside_program(const char *path, StrBuf *out) MUST_CHECK;

/* file_begin, one write, and file_commit. */
int file_write(const char *path, const void *bytes, size_t len) MUST_CHECK;

#endif
