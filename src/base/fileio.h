/* fileio.h: lines of any length, whole files, and files that are written aside and then renamed.
 *
 * Functions that can fail return 0 or an errno value, and file_error_text says it in words; they
 * print nothing. Each reader, map and writer belongs to one thread at a time. Non-blocking
 * descriptors are waited for, too. */
#ifndef KMD_BASE_FILEIO_H
#define KMD_BASE_FILEIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "base/linebuf.h"
#include "base/str.h"

/* The system's words for an errno value. */
const char *file_error_text(int error);

/* Reads lines from a file descriptor as they come: a line is given out as soon as its LF has
 * arrived, so pipes and terminals work. */
typedef struct LineReader {
    int fd;
    int error; /* errno value of the read that failed, 0 so far */
    bool is_at_end;
    LineBuf buf;
} LineReader;

/* The descriptor stays the caller's. */
void file_lines_init(LineReader *lines, int fd);
void file_lines_free(LineReader *lines);

/* Waits for the next line and gives it without its LF or CR LF, valid until the next call. The
 * last line needs no LF. False at the end of the file and after an error (lines->error). */
bool file_lines_next(LineReader *lines, StrView *line);

/* Writes all of text to a file descriptor. */
int file_write_fd(int fd, StrView text) MUST_CHECK;

/* Appends the whole file to *out. On failure *out may hold a part of it. */
int file_read(const char *path, StrBuf *out) MUST_CHECK;

/* 0 when path leads to a regular file, or to nothing or /dev/null; else an errno value: that of a
 * folder, or EINVAL for a pipe or a device, which might block whoever opens it. */
int file_check_regular(const char *path) MUST_CHECK;

/* The beginning of a file, to judge it by before it is read. */
enum { FILE_START_MOST = 64 };

typedef struct FileStart {
    char bytes[FILE_START_MOST];
    size_t len;
    bool is_regular; /* else the rest means nothing, for a pipe can be read only once */
    uint64_t file_len;
} FileStart;

/* Reads the first `len` bytes, at most FILE_START_MOST, or fewer where the file is shorter. Returns
 * 0 or an errno value. */
int file_read_start(const char *path, size_t len, FileStart *start) MUST_CHECK;

/* A whole file, read only. Mapped where the system can (and then at a page boundary), else read.
 * ENOMEM when a file is too large for either. */
typedef struct FileMap {
    const unsigned char *data; /* NULL for an empty file */
    size_t len;
    bool is_mapped;
} FileMap;

int file_map(const char *path, FileMap *map) MUST_CHECK;
void file_unmap(FileMap *map);

/* A file being written aside: what is there already stays until file_commit. Write to `stream`
 * with stdio; its errors are found by file_commit. */
typedef struct FileWriter {
    FILE *stream;
    StrBuf path;
    StrBuf aside; /* empty when path is no regular file (a pipe, a device) and is written itself */
} FileWriter;

/* Opens a new file beside path; where path is a symbolic link, beside the file it leads to. The
 * mode of a file that is there is kept. */
int file_begin(FileWriter *writer, const char *path) MUST_CHECK;

/* As file_begin, but what is written aside is always `path` with ".part" after it: of what an
 * earlier run left there the first `keep` bytes stay, and the stream continues after them. */
int file_begin_after(FileWriter *writer, const char *path, size_t keep) MUST_CHECK;

/* Whether file_begin would do, for work that ends in a file and takes long. Leaves nothing behind
 * and opens no pipe or device. */
int file_check_write(const char *path) MUST_CHECK;

/* Flushes, closes and renames. Whatever it returns, the writer is done with; on failure path is as
 * it was and nothing is left beside it. */
int file_commit(FileWriter *writer) MUST_CHECK;

/* Closes and removes what was written aside. */
void file_abandon(FileWriter *writer);

/* Closes what was written aside and leaves it there, so that it can be saved; its name is appended
 * to *where, nothing when path was written itself. */
void file_leave_aside(FileWriter *writer, StrBuf *where);

/* Opens a file, pipe or device to write at its end. Like everything that this module opens, it is
 * not inherited by child processes. */
int file_append(const char *path, FILE **stream) MUST_CHECK;

/* Keeps other processes that ask for the same from the file, as long as the stream is open. False
 * when another one has it; true also where the file system knows no locks. Readers are free. */
bool file_lock(FILE *stream) MUST_CHECK;

/* The part of a path after the last slash, of either kind. */
StrView file_name(StrView path);

/* True when both names lead to the same file, or would lead to it where there is none yet. "-" is
 * standard input. */
bool file_is_same(const char *a, const char *b);

/* Appends a text that is equal for all such names of a file. */
void file_identity(const char *path, StrBuf *out);

/* A folder is there; makes it unless it is, and those above it. 0 or an errno value. */
bool file_is_folder(const char *path);
int file_make_folder(const char *path) MUST_CHECK;

/* A folder that is there, or is named as one with a slash of either kind at its end. */
bool file_names_folder(const char *path);

/* Appends the path of a file in a folder. */
void file_join(const char *folder, StrView name, StrBuf *out);

/* Appends the names of what is in a folder, in order, a line each. */
int file_list(const char *path, StrBuf *out) MUST_CHECK;

/* True when `path` is a regular file that begins with `start`. Anything else (a pipe, a device) is
 * not opened. */
bool file_begins_with(const char *path, StrView start);

/* Appends where `path` leads to when it counts from the folder of the running program. False, with
 * nothing appended, where the system does not tell that folder, and for a path that begins with a
 * slash of either kind. */
bool file_beside_program(const char *path, StrBuf *out) MUST_CHECK;

/* file_begin, what is written, and file_commit in one for contents at hand. */
int file_write(const char *path, const void *bytes, size_t len) MUST_CHECK;

#endif
