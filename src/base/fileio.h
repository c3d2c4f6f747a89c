/* fileio.h: reads lines of any length and whole files, and writes files under a temporary name that
 * is changed to the final name at the end.
 *
 * Functions that can fail return 0 or an errno value, which file_error_text describes. Nothing here
 * prints. Each reader, map and writer belongs to one thread at a time. Non-blocking descriptors
 * work too: the functions wait until the descriptor is ready. */
#ifndef KMD_BASE_FILEIO_H
#define KMD_BASE_FILEIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "base/str.h"

/* The system's text for an errno value. */
const char *file_error_text(int error);

/* ---- lines ----------------------------------------------------------------------------------- */

/* Splits bytes that arrive in pieces, from a file, a pipe or a child process, into lines. It reads
 * no input itself: its owner adds bytes and takes lines. */
typedef struct LineBuf {
    size_t most; /* longer lines are cut to this length, so that memory is bounded; 0: no limit */
    bool ends_at_cr;  /* a CR alone also ends a line */
    bool is_cut;      /* the line returned last was longer than `most` */
    bool had_crlf;    /* the line returned last ended in CR LF */
    bool lacks_end;   /* linebuf_last returned a line that no line end followed */
    bool skips_rest;  /* the rest of a line that was cut is being skipped */
    bool is_after_cr; /* an LF that follows belongs to the previous line */
    StrBuf bytes;     /* received and not yet dropped */
    size_t next;      /* index in `bytes` of the start of the next line */
    size_t scanned;   /* no line ends between `next` and here */
} LineBuf;

void linebuf_free(LineBuf *buf);

/* Returns room for `len` more bytes, valid until the next call. After writing to it, pass the
 * number of bytes written to linebuf_filled. */
char *linebuf_room(LineBuf *buf, size_t len);
void linebuf_filled(LineBuf *buf, size_t len);

/* True if linebuf_next can return a line: a complete line, or one that is too long and will be
 * cut. */
bool linebuf_has_line(LineBuf *buf);

/* Returns the next line without its LF or CR LF. The line is valid until the next call of
 * linebuf_room. */
bool linebuf_next(LineBuf *buf, StrView *line);

/* Call it after the last byte has been added. Returns the last line if it lacks an LF, or false if
 * nothing is left. */
bool linebuf_last(LineBuf *buf, StrView *line);

/* Reads lines from a file descriptor. A line is returned as soon as its LF has arrived, so this
 * also works for pipes and terminals. */
typedef struct LineReader {
    int fd;
    int error; /* errno value of the failed read; 0: none */
    bool is_at_end;
    LineBuf buf;
} LineReader;

/* Initialises a reader. The caller still owns the descriptor. */
void file_lines_init(LineReader *lines, int fd);

/* Initialises a reader of a copy of these bytes. */
void file_lines_init_bytes(LineReader *lines, StrView bytes);

void file_lines_free(LineReader *lines);

/* Waits for the next line and returns it without its LF or CR LF. The line is valid until the next
 * call. The last line needs no LF. Returns false at the end of the file and after an error
 * (lines->error). */
bool file_lines_next(LineReader *lines, StrView *line);

/* Writes all of the text to a file descriptor. */
int file_write_fd(int fd, StrView text) MUST_CHECK;

/* Appends the whole file to *out. On failure *out may contain a part of it. */
int file_read(const char *path, StrBuf *out) MUST_CHECK;

/* Flushes standard output at the end of a program, and returns its exit status. If output was lost,
 * says so on stderr; success then becomes 1. */
int file_finish_stdout(const char *program, int status);

/* Appends everything up to the end of standard input. */
int file_read_stdin(StrBuf *out) MUST_CHECK;

/* Returns 0 if path is a regular file or /dev/null, or does not exist; EISDIR for a folder; EINVAL
 * for a pipe or a device, because opening one might block; or another errno value. */
int file_check_regular(const char *path) MUST_CHECK;

/* The first bytes of a file, from which to recognise its format before reading it. */
enum { FILE_START_MAX = 64 };

typedef struct FileStart {
    char bytes[FILE_START_MAX];
    size_t len;
    bool is_regular; /* false: no other member is set, because a pipe can be read only once */
    uint64_t file_len;
} FileStart;

/* Reads the first `len` bytes (at most FILE_START_MAX), or the whole file if it is shorter.
 * Returns 0 or an errno value. */
int file_read_start(const char *path, size_t len, FileStart *start) MUST_CHECK;

/* A number that changes when the file is written or replaced; 0 if there is no regular file. */
uint64_t file_stamp(const char *path);

/* A whole file, read-only. The file is mapped at a page boundary if the system supports that,
 * otherwise read into memory. Fails with ENOMEM if the file is too large for either. A file that is
 * overwritten while it is mapped changes in memory, too. */
typedef struct FileMap {
    const unsigned char *data; /* NULL for an empty file */
    size_t len;
    bool is_mapped;
} FileMap;

int file_map(const char *path, FileMap *map) MUST_CHECK;
void file_unmap(FileMap *map);

/* A file that is being written under a temporary name. The existing file stays unchanged until
 * file_commit. Write to `stream` with stdio; file_commit reports errors of the stream. */
typedef struct FileWriter {
    FILE *stream;
    StrBuf path;
    StrBuf aside; /* the temporary name; empty for a pipe or device, which is written directly */
} FileWriter;

/* Opens a temporary file next to path or, if path is a symbolic link, next to its target. The new
 * file gets the mode of the file that it will replace, if there is one. */
int file_begin(FileWriter *writer, const char *path) MUST_CHECK;

/* Checks that file_begin would succeed. Call it before long work whose result will be written to
 * the file. Leaves no file behind and opens no pipe or device. */
int file_check_write(const char *path) MUST_CHECK;

/* Flushes, closes and renames. The writer cannot be used afterwards. On failure path is unchanged
 * and the temporary file is removed. */
int file_commit(FileWriter *writer) MUST_CHECK;

/* Closes and removes the temporary file. */
void file_abandon(FileWriter *writer);

/* Opens a file, pipe or device for appending. Child processes do not inherit the descriptors that
 * this module opens. */
int file_append(const char *path, FILE **stream) MUST_CHECK;

/* Truncates a file that is open for writing to its first `len` bytes. Later writes continue from
 * there. */
int file_cut(FILE *stream, size_t len) MUST_CHECK;

/* Locks the file against other processes that call this function, until the stream is closed.
 * Returns false if another process has the lock, and true if the file system has no locks. Readers
 * are not affected. */
bool file_lock(FILE *stream) MUST_CHECK;

/* The part of a path after the last slash or, on Windows, backslash. */
StrView file_name(StrView path);

/* True if both names refer to the same file, which need not exist yet. "-" is standard input. */
bool file_is_same(const char *a, const char *b);

/* Appends a text that identifies the file: all names of the same file give the same text. */
void file_identity(const char *path, StrBuf *out);

/* file_make_folder creates a folder and its parents, unless they exist, and returns 0 or an errno
 * value. */
bool file_is_folder(const char *path);
int file_make_folder(const char *path) MUST_CHECK;

/* True if the path ends in a slash (or backslash on Windows), or is an existing folder. */
bool file_names_folder(const char *path);

/* The path up to its last slash (or backslash), included. */
StrView file_folder(StrView path);

/* Appends the path of a file in a folder. */
void file_join(const char *folder, StrView name, StrBuf *out);

/* Appends the names of the files in a folder, sorted, one per line. */
int file_list(const char *path, StrBuf *out) MUST_CHECK;

/* True if `path` is a regular file that begins with `start`, of at most FILE_START_MAX bytes. Pipes
 * and devices are not opened. */
bool file_begins_with(const char *path, StrView start);

/* Appends the path or, if there is a file or folder beside the running program but none of this
 * name in the working directory, that one's: the working directory depends on how the program was
 * started. is_program_first reverses the order. A path that begins with a slash (or backslash on
 * Windows) is not looked up. */
void file_look_up(StrView path, bool is_program_first, StrBuf *out);

/* Writes a whole file: file_begin, one write, and file_commit. */
int file_write(const char *path, const void *bytes, size_t len) MUST_CHECK;

#endif
