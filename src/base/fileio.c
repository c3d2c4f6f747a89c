/* fileio.c: buffered line reading, mapping of whole files, and output through a temporary file
 * that is renamed at the end. */
#include "base/fileio.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/system.h"
#include "base/xmem.h"

#define READ_BYTES     ((size_t)65536)
#define READ_MAX       ((size_t)1 << 30) /* maximum number of bytes of one call */
#define ASIDE_ATTEMPTS 1000

const char *file_error_text(int error) {
    return strerror(error);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void linebuf_free(LineBuf *buf) {
    strbuf_free(&buf->bytes);
}

char *linebuf_room(LineBuf *buf, size_t len) {
    StrBuf *bytes = &buf->bytes;
    if (buf->next > 0) {
        memmove(bytes->ptr, bytes->ptr + buf->next, bytes->len - buf->next);
        bytes->len -= buf->next;
        buf->scanned -= buf->next;
        buf->next = 0;
    }
    strbuf_reserve(bytes, len);
    return bytes->ptr + bytes->len;
}

void linebuf_filled(LineBuf *buf, size_t len) {
    buf->bytes.len += len;
    buf->bytes.ptr[buf->bytes.len] = '\0';
}

/* Sets `scanned` to the next line end, or to the end of the data, and discards the rest of a line
 * that was cut. Returns true if it found a line end. */
static bool scan(LineBuf *buf) {
    for (;;) {
        StrView unscanned = sv_skip(strbuf_view(&buf->bytes), buf->scanned);
        if (buf->is_after_cr && unscanned.len > 0) {
            buf->is_after_cr = false;
            buf->scanned += unscanned.ptr[0] == '\n';
            buf->next = buf->scanned;
            continue;
        }
        size_t end = sv_find_byte(unscanned, '\n');
        end = buf->ends_at_cr ? sv_find_byte(sv_prefix(unscanned, end), '\r') : end;
        bool is_whole = end < unscanned.len;
        buf->scanned += end;
        if (!buf->skips_rest) {
            return is_whole;
        }
        buf->skips_rest = !is_whole;
        buf->is_after_cr = is_whole && unscanned.ptr[end] == '\r';
        buf->scanned += is_whole;
        buf->next = buf->scanned;
        if (!is_whole) {
            return false;
        }
    }
}

static bool is_too_long(const LineBuf *buf) {
    return buf->most > 0 && buf->scanned - buf->next > buf->most;
}

bool linebuf_has_line(LineBuf *buf) {
    return scan(buf) || is_too_long(buf);
}

bool linebuf_next(LineBuf *buf, StrView *line) {
    bool is_whole = scan(buf);
    StrView unread = sv_skip(strbuf_view(&buf->bytes), buf->next);
    *line = sv_prefix(unread, buf->scanned - buf->next);
    buf->is_cut = is_too_long(buf);
    if (buf->is_cut) {
        *line = sv_prefix(unread, buf->most);
        buf->skips_rest = true;
    } else if (is_whole) {
        buf->is_after_cr = unread.ptr[line->len] == '\r';
        buf->had_crlf = line->len > 0 && line->ptr[line->len - 1] == '\r';
        line->len -= buf->had_crlf;
        buf->scanned++;
    } else {
        return false;
    }
    buf->next = buf->scanned;
    return true;
}

bool linebuf_last(LineBuf *buf, StrView *line) {
    *line = sv_skip(strbuf_view(&buf->bytes), buf->next);
    buf->scanned = buf->next = buf->bytes.len;
    buf->lacks_end |= line->len > 0;
    return line->len > 0;
}

/* Call it after a system call has failed. Returns true if the call must be repeated. The parent
 * process shares the descriptors and may make them non-blocking at any time. */
static bool is_to_repeat(int fd, bool is_to_write) {
    return errno == EINTR || (errno == EAGAIN && system_await_fd(fd, is_to_write));
}

/* Appends at most READ_BYTES from fd to *buf. Returns the number of bytes, 0 at the end, or -1 with
 * errno. */
static ptrdiff_t read_some(int fd, StrBuf *buf) {
    strbuf_reserve(buf, READ_BYTES);
    ptrdiff_t count;
    do {
        count = read(fd, buf->ptr + buf->len, READ_BYTES);
    } while (count < 0 && is_to_repeat(fd, false));
    if (count > 0) {
        buf->len += (size_t)count;
    }
    buf->ptr[buf->len] = '\0';
    return count;
}

void file_lines_init(LineReader *lines, int fd) {
    *lines = (LineReader){.fd = fd};
}

void file_lines_init_bytes(LineReader *lines, StrView bytes) {
    *lines = (LineReader){.fd = -1, .is_at_end = true};
    if (bytes.len > 0) {
        memcpy(linebuf_room(&lines->buf, bytes.len), bytes.ptr, bytes.len);
        linebuf_filled(&lines->buf, bytes.len);
    }
}

void file_lines_free(LineReader *lines) {
    linebuf_free(&lines->buf);
}

bool file_lines_next(LineReader *lines, StrView *line) {
    while (!linebuf_next(&lines->buf, line)) {
        if (lines->is_at_end) {
            return linebuf_last(&lines->buf, line);
        }
        linebuf_room(&lines->buf, READ_BYTES); /* drops the lines already returned */
        ptrdiff_t count = read_some(lines->fd, &lines->buf.bytes);
        lines->error = count < 0 ? errno : 0;
        lines->is_at_end = count <= 0;
    }
    return true;
}

int file_write_fd(int fd, StrView text) {
    while (text.len > 0) {
        ssize_t count = write(fd, text.ptr, text.len);
        if (count > 0) {
            text = sv_skip(text, (size_t)count);
        } else if (count < 0 && !is_to_repeat(fd, true)) {
            return errno;
        }
    }
    return 0;
}

static int open_to_read(const char *path, int *fd) {
    *fd = system_open(path, O_RDONLY);
    return *fd < 0 ? errno : 0;
}

static int read_all(int fd, StrBuf *out) {
    ptrdiff_t count;
    do {
        count = read_some(fd, out);
    } while (count > 0);
    return count < 0 ? errno : 0;
}

int file_check_regular(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (strcmp(path, "/dev/null") == 0) {
        return 0;
    }
    return S_ISREG(info.st_mode) ? 0 : S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
}

uint64_t file_stamp(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return 0;
    }
    const int64_t parts[] = {(int64_t)info.st_dev, (int64_t)info.st_ino, (int64_t)info.st_size,
                             system_changed_ns(path, &info)};
    return checksum_fnv(CHECKSUM_FNV_START, parts, sizeof(parts)) | 1;
}

int file_read(const char *path, StrBuf *out) {
    int fd;
    int error = open_to_read(path, &fd);
    if (error != 0) {
        return error;
    }
    error = read_all(fd, out);
    close(fd);
    return error;
}

int file_finish_stdout(const char *program, int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "%s: standard output could not be written\n", program);
    return status != 0 ? status : 1;
}

int file_read_stdin(StrBuf *out) {
    return read_all(STDIN_FILENO, out);
}

StrView file_name(StrView path) {
    size_t at = path.len;
    while (at > 0 && path.ptr[at - 1] != '/' && path.ptr[at - 1] != '\\') {
        at--;
    }
    return sv_skip(path, at);
}

bool file_begins_with(const char *path, StrView start) {
    struct stat info;
    FileStart found;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           file_read_start(path, start.len, &found) == 0 &&
           sv_equal((StrView){found.bytes, found.len}, start);
}

static size_t folder_len(const char *path) {
    size_t len = strlen(path);
    while (len > 0 && !system_is_slash(path[len - 1])) {
        len--;
    }
    return len;
}

static void append_file_numbers(const uint64_t numbers[2], StrBuf *out) {
    strbuf_addf(out, "%llu:%llu", (unsigned long long)numbers[0], (unsigned long long)numbers[1]);
}

/* The text consists of the file's numbers or, if the file does not exist, of the numbers of its
 * folder and the file's name. */
void file_identity(const char *path, StrBuf *out) {
    uint64_t numbers[2];
    char *name = system_unique_name(path);
    StrBuf folder = STRBUF_INIT;
    strbuf_add(&folder, (StrView){path, folder_len(path)});
    strbuf_add_byte(&folder, '.');
    if (name != NULL) {
        strbuf_add_str(out, name);
    } else if (system_file_numbers(strcmp(path, "-") == 0 ? NULL : path, numbers)) {
        append_file_numbers(numbers, out);
    } else if (system_file_numbers(folder.ptr, numbers)) {
        append_file_numbers(numbers, out);
        strbuf_addf(out, "/%s", path + folder_len(path));
    } else {
        strbuf_add_str(out, path);
    }
    strbuf_free(&folder);
    free(name);
}

bool file_lock(FILE *stream) {
    return system_lock_file(fileno(stream));
}

bool file_is_same(const char *a, const char *b) {
    StrBuf of_a = STRBUF_INIT, of_b = STRBUF_INIT;
    file_identity(a, &of_a);
    file_identity(b, &of_b);
    bool is_same = sv_equal(strbuf_view(&of_a), strbuf_view(&of_b));
    strbuf_free(&of_a);
    strbuf_free(&of_b);
    return is_same;
}

bool file_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Errors for parts of the path are ignored, because another process may create the same folder at
 * the same time, and the part before the first slash may be a drive, which cannot be created. Only
 * the result for the whole path counts. */
int file_make_folder(const char *path) {
    StrBuf part = STRBUF_INIT;
    int fault = 0;
    for (size_t i = 0; path[i] != '\0'; i++) {
        bool is_end = path[i + 1] == '\0' || system_is_slash(path[i + 1]);
        strbuf_add_byte(&part, path[i]);
        if (is_end && !system_is_slash(path[i])) {
            int error = system_make_folder(part.ptr) == 0 ? 0 : errno;
            fault = file_is_folder(part.ptr) ? 0 : fault != 0 ? fault : error;
        }
    }
    strbuf_free(&part);
    return fault;
}

bool file_names_folder(const char *path) {
    return file_is_folder(path) || (path[0] != '\0' && file_name(sv_from(path)).len == 0);
}

StrView file_folder(StrView path) {
    return sv_prefix(path, path.len - file_name(path).len);
}

void file_join(const char *folder, StrView name, StrBuf *out) {
    strbuf_add_str(out, folder);
    strbuf_add_str(out, file_name(sv_from(folder)).len == 0 ? "" : "/");
    strbuf_add(out, name);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int file_list(const char *path, StrBuf *out) {
    char **names = NULL;
    size_t count = 0, cap = 0;
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return errno;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        StrBuf name = STRBUF_INIT;
        strbuf_add_str(&name, entry->d_name);
        names = xmem_grow(names, &cap, count + 1, sizeof(*names));
        names[count++] = name.ptr;
    }
    closedir(folder);
    if (count > 0) {
        qsort(names, count, sizeof(*names), by_name);
    }
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] != '.') {
            strbuf_addf(out, "%s\n", names[i]);
        }
        free(names[i]);
    }
    free(names);
    return 0;
}

static bool file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

void file_look_up(StrView path, bool is_program_first, StrBuf *out) {
    StrBuf given = STRBUF_INIT, beside = STRBUF_INIT;
    strbuf_add(&given, path);
    bool is_relative = path.len > 0 && path.ptr[0] != '/' && path.ptr[0] != '\\';
    char *program = is_relative ? system_program() : NULL; /* NULL: unknown */
    if (program != NULL) {
        strbuf_add(&beside, (StrView){program, folder_len(program)});
        strbuf_add(&beside, path);
    }
    bool is_beside =
        program != NULL && file_exists(beside.ptr) && (is_program_first || !file_exists(given.ptr));
    strbuf_add(out, strbuf_view(is_beside ? &beside : &given));
    free(program);
    strbuf_free(&given);
    strbuf_free(&beside);
}

int file_read_start(const char *path, size_t len, FileStart *start) {
    ASSERT(len <= FILE_START_MAX);
    *start = (FileStart){.len = 0};
    int fd;
    int error = open_to_read(path, &fd);
    if (error != 0) {
        return error;
    }
    int64_t file_len = system_file_len(fd);
    start->is_regular = file_len >= 0;
    start->file_len = file_len >= 0 ? (uint64_t)file_len : 0;
    ptrdiff_t count = start->is_regular ? 1 : 0;
    while (count > 0 && start->len < len) {
        count = read(fd, start->bytes + start->len, len - start->len);
        error = count < 0 ? errno : 0;
        start->len += count > 0 ? (size_t)count : 0;
    }
    close(fd);
    return error;
}

/* Reads a file of this length, or fewer bytes if it has become shorter. */
static int read_unmapped(int fd, size_t len, FileMap *map) {
    unsigned char *bytes = xmem_try_calloc(len, 1);
    if (bytes == NULL) {
        return ENOMEM;
    }
    size_t got = 0;
    ptrdiff_t count = 1;
    while (count > 0 && got < len) {
        size_t part = len - got < READ_MAX ? len - got : READ_MAX;
        count = read(fd, bytes + got, (unsigned)part);
        got += count > 0 ? (size_t)count : 0;
    }
    if (count < 0) {
        int error = errno;
        free(bytes);
        return error;
    }
    *map = (FileMap){bytes, got, false};
    return 0;
}

int file_map(const char *path, FileMap *map) {
    *map = (FileMap){NULL, 0, false};
    int fd;
    int error = open_to_read(path, &fd);
    if (error != 0) {
        return error;
    }
    int64_t len = system_file_len(fd);
    void *mapped = len > 0 && (uint64_t)len <= SIZE_MAX ? system_map_file(fd, (size_t)len) : NULL;
    if (mapped != NULL) {
        *map = (FileMap){.data = mapped, .len = (size_t)len, .is_mapped = true};
    } else if (len > 0) {
        error = (uint64_t)len > SIZE_MAX ? ENOMEM : read_unmapped(fd, (size_t)len, map);
    } else { /* a pipe, or a file of unknown length */
        StrBuf contents = STRBUF_INIT;
        error = read_all(fd, &contents);
        if (error != 0 || contents.len == 0) {
            strbuf_free(&contents);
        }
        *map = (FileMap){(unsigned char *)contents.ptr, contents.len, false};
    }
    close(fd);
    return error;
}

void file_unmap(FileMap *map) {
    if (map->is_mapped) {
        system_unmap_file((void *)(uintptr_t)map->data, map->len);
    } else {
        free((void *)(uintptr_t)map->data);
    }
    *map = (FileMap){NULL, 0, false};
}

/* Makes a stream of a descriptor; fd is negative if open() failed. */
static int stream_of(int fd, const char *mode, FILE **stream) {
    *stream = fd >= 0 ? fdopen(fd, mode) : NULL;
    if (*stream != NULL) {
        return 0;
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    return error;
}

int file_append(const char *path, FILE **stream) {
    int fd = system_open(path, O_WRONLY | O_CREAT | O_APPEND);
    return stream_of(fd, "ab", stream);
}

int file_cut(FILE *stream, size_t len) {
    bool is_cut = fflush(stream) == 0 && ftruncate(fileno(stream), (off_t)len) == 0 &&
                  fseek(stream, 0, SEEK_END) == 0;
    return is_cut ? 0 : errno;
}

static void writer_free(FileWriter *writer) {
    strbuf_free(&writer->path);
    strbuf_free(&writer->aside);
    writer->stream = NULL;
}

/* Creates a file next to path under an unused name, because several processes or threads may be
 * writing to the same path. */
static int open_aside(FileWriter *writer) {
    for (int attempt = 0; attempt < ASIDE_ATTEMPTS; attempt++) {
        strbuf_clear(&writer->aside);
        strbuf_addf(&writer->aside, "%s.part-%ld-%d", writer->path.ptr, (long)getpid(), attempt);
        int fd = system_open(writer->aside.ptr, O_WRONLY | O_CREAT | O_EXCL);
        int error = stream_of(fd, "wb", &writer->stream);
        if (fd >= 0 && error != 0) {
            remove(writer->aside.ptr);
        }
        if (fd >= 0 || error != EEXIST) {
            return error;
        }
    }
    return EEXIST;
}

int file_begin(FileWriter *writer, const char *path) {
    *writer = (FileWriter){.stream = NULL};
    char *real = system_resolve(path);
    strbuf_add_str(&writer->path, real != NULL ? real : path);
    free(real);
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    int error = 0;
    if (is_there && !S_ISREG(info.st_mode)) {
        error = stream_of(system_open(path, O_WRONLY), "wb", &writer->stream);
    } else {
        error = open_aside(writer);
    }
    if (is_there && error == 0 && writer->aside.len > 0) {
        system_copy_mode(fileno(writer->stream), &info);
    }
    if (error != 0) {
        writer_free(writer);
    }
    return error;
}

/* Flushes and closes the stream. Returns 0 or the first error. */
static int close_writer(FILE *stream) {
    int error = 0;
    if (ferror(stream)) {
        /* The errno of the write that failed was not kept, but a full disk is still full. The file
         * is lost anyway, so writing more to it shows the error again. */
        static const char zeros[READ_BYTES];
        error = file_write_fd(fileno(stream), (StrView){zeros, sizeof(zeros)});
        error = error != 0 ? error : EIO;
    }
    errno = 0;
    if (error == 0 && (fflush(stream) != 0 || system_sync_file(fileno(stream)) != 0)) {
        error = errno != 0 ? errno : EIO;
    }
    if (fclose(stream) != 0 && error == 0) {
        error = errno;
    }
    return error;
}

int file_commit(FileWriter *writer) {
    int error = close_writer(writer->stream);
    if (writer->aside.len > 0) {
        if (error == 0) {
            error = system_replace_file(writer->aside.ptr, writer->path.ptr);
        }
        if (error != 0) {
            remove(writer->aside.ptr);
        }
    }
    writer_free(writer);
    return error;
}

void file_abandon(FileWriter *writer) {
    fclose(writer->stream);
    if (writer->aside.len > 0) {
        remove(writer->aside.ptr);
    }
    writer_free(writer);
}

int file_check_write(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return S_ISDIR(info.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    }
    FileWriter writer;
    int error = file_begin(&writer, path);
    if (error == 0) {
        file_abandon(&writer);
    }
    return error;
}

int file_write(const char *path, const void *bytes, size_t len) {
    FileWriter writer;
    int error = file_begin(&writer, path);
    if (error != 0) {
        return error;
    }
    errno = 0;
    if (len > 0 && fwrite(bytes, 1, len, writer.stream) < len) {
        error = errno != 0 ? errno : EIO;
        file_abandon(&writer);
        return error;
    }
    return file_commit(&writer);
}
