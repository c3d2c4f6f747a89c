#include "base/fileio.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "unit.h"

/* A separate folder for one test, made by folder_make and removed by folder_remove. */
typedef struct Folder {
    char path[64];
    StrBuf file; /* the last path asked for */
} Folder;

static Folder folder_make(void) {
    Folder folder = {.path = "/tmp/komadori-test-XXXXXX"};
    CHECK(mkdtemp(folder.path) != NULL);
    return folder;
}

static const char *folder_file(Folder *folder, const char *name) {
    strbuf_clear(&folder->file);
    strbuf_addf(&folder->file, "%s/%s", folder->path, name);
    return folder->file.ptr;
}

static int folder_count(const Folder *folder) {
    DIR *dir = opendir(folder->path);
    int count = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static void folder_remove(Folder *folder, const char *name) {
    remove(folder_file(folder, name));
    CHECK(rmdir(folder->path) == 0);
    strbuf_free(&folder->file);
}

/* A reader of a file with this text. */
static LineReader reader_of(FILE **file, StrView text) {
    *file = tmpfile();
    CHECK(fwrite(text.ptr, 1, text.len, *file) == text.len);
    fflush(*file);
    lseek(fileno(*file), 0, SEEK_SET);
    LineReader lines;
    file_lines_init(&lines, fileno(*file));
    return lines;
}

static void test_line_ends(void) {
    FILE *file;
    LineReader lines = reader_of(&file, SV("usi\r\n\nwith\0nul\nposition  x\t\nno end"));
    static const StrView want[] = {
        {"usi", 3}, {"", 0}, {"with\0nul", 8}, {"position  x\t", 12}, {"no end", 6}};
    StrView line;
    for (size_t i = 0; i < COUNTOF(want); i++) {
        CHECK(file_lines_next(&lines, &line) && sv_equal(line, want[i]));
    }
    CHECK(!file_lines_next(&lines, &line) && line.len == 0);
    CHECK(!file_lines_next(&lines, &line));
    CHECK_INT(lines.error, 0);
    file_lines_free(&lines);
    fclose(file);
}

/* The bytes of the last line move to the front while the reader looks for the end of the file. */
static void test_long_last_line(void) {
    FILE *file;
    LineReader lines = reader_of(&file, SV("a\nposition startpos moves 7g7f"));
    StrView line;
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("a")));
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("position startpos moves 7g7f")));
    CHECK(!file_lines_next(&lines, &line));
    file_lines_free(&lines);
    fclose(file);
}

static void test_long_lines(void) {
    enum { LINES = 40, STEP = 9973 };
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < LINES; i++) {
        for (int j = 0; j < i * STEP; j++) {
            strbuf_add_byte(&text, (char)('a' + i % 26));
        }
        strbuf_add_byte(&text, '\n');
    }
    FILE *file;
    LineReader lines = reader_of(&file, strbuf_view(&text));
    StrView line;
    for (int i = 0; i < LINES; i++) {
        CHECK(file_lines_next(&lines, &line));
        CHECK_INT(line.len, (int64_t)i * STEP);
        CHECK(line.len == 0 || line.ptr[line.len - 1] == 'a' + i % 26);
    }
    CHECK(!file_lines_next(&lines, &line));
    file_lines_free(&lines);
    strbuf_free(&text);
    fclose(file);
}

/* A line must be returned while the writer still holds the pipe open. */
static void test_pipe_in_pieces(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    LineReader lines;
    file_lines_init(&lines, ends[0]);
    StrView line;
    CHECK(write(ends[1], "is", 2) == 2);
    CHECK(write(ends[1], "ready\nst", 8) == 8);
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("isready")));
    CHECK(write(ends[1], "op\r", 3) == 3);
    CHECK(write(ends[1], "\n", 1) == 1);
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("stop")));
    close(ends[1]);
    CHECK(!file_lines_next(&lines, &line));
    close(ends[0]);
    file_lines_free(&lines);
}

/* A pipe, and a thread that reads or writes late at one end of it. */
typedef struct LatePipe {
    int ends[2];
    pthread_t thread;
    size_t count; /* bytes that the thread has read */
    int error;    /* error of the thread's writing */
} LatePipe;

/* Makes a pipe whose end number `at` (0 to read, 1 to write) is ours and non-blocking. */
static void late_pipe_start(LatePipe *late, int at, void *(*run)(void *)) {
    *late = (LatePipe){.count = 0};
    CHECK(pipe(late->ends) == 0);
    CHECK(fcntl(late->ends[at], F_SETFL, O_NONBLOCK) == 0);
    CHECK(pthread_create(&late->thread, NULL, run, late) == 0);
}

static void *write_late(void *arg) {
    LatePipe *late = arg;
    clock_sleep_ms(30);
    late->error = file_write_fd(late->ends[1], SV("usi\nisre"));
    clock_sleep_ms(30);
    late->error |= file_write_fd(late->ends[1], SV("ady\n"));
    close(late->ends[1]);
    return NULL;
}

static void *read_late(void *arg) {
    LatePipe *late = arg;
    static char bytes[65536];
    clock_sleep_ms(30);
    for (ssize_t got; (got = read(late->ends[0], bytes, sizeof(bytes))) > 0;) {
        late->count += (size_t)got;
    }
    return NULL;
}

/* The parent process may have made its descriptors non-blocking. */
static void test_descriptors_that_do_not_block(void) {
    enum { BYTES = 1 << 20 };
    LatePipe late;
    LineReader lines;
    StrView line;
    late_pipe_start(&late, 0, write_late);
    file_lines_init(&lines, late.ends[0]);
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("usi")));
    CHECK(file_lines_next(&lines, &line) && sv_equal(line, SV("isready")));
    CHECK(!file_lines_next(&lines, &line));
    CHECK_INT(lines.error, 0);
    file_lines_free(&lines);
    pthread_join(late.thread, NULL);
    CHECK_INT(late.error, 0);
    close(late.ends[0]);
    char *bytes = calloc(1, BYTES);
    late_pipe_start(&late, 1, read_late);
    CHECK_INT(file_write_fd(late.ends[1], (StrView){bytes, BYTES}), 0);
    close(late.ends[1]);
    pthread_join(late.thread, NULL);
    CHECK_INT((int64_t)late.count, BYTES);
    close(late.ends[0]);
    free(bytes);
    CHECK_INT(file_write_fd(-1, SV("x")), EBADF);
}

static void test_read_errors(void) {
    LineReader lines;
    file_lines_init(&lines, -1);
    StrView line;
    CHECK(!file_lines_next(&lines, &line));
    CHECK_INT(lines.error, EBADF);
    file_lines_free(&lines);
    StrBuf out = STRBUF_INIT;
    FileMap map;
    CHECK_INT(file_read("/tmp/komadori/is/not/there", &out), ENOENT);
    CHECK_INT(file_map("/tmp/komadori/is/not/there", &map), ENOENT);
    CHECK_INT(file_read("/tmp", &out), EISDIR);
    CHECK_INT(file_map("/tmp", &map), EISDIR);
    CHECK(map.data == NULL && strlen(file_error_text(ENOENT)) > 0);
    strbuf_free(&out);
}

static void test_whole_files(void) {
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    static const size_t sizes[] = {0, 1, 65535, 65536, 300001};
    char *bytes = calloc(1, 300001);
    for (size_t i = 0; i < COUNTOF(sizes); i++) {
        memset(bytes, 'A' + (int)i, sizes[i]);
        CHECK_INT(file_write(path, bytes, sizes[i]), 0);
        StrBuf out = STRBUF_INIT;
        CHECK_INT(file_read(path, &out), 0);
        FileMap map;
        CHECK_INT(file_map(path, &map), 0);
        CHECK(out.len == sizes[i] && memcmp(out.ptr, bytes, out.len) == 0);
        CHECK(map.len == sizes[i] && (map.len == 0 || memcmp(map.data, bytes, map.len) == 0));
        file_unmap(&map);
        CHECK(map.data == NULL);
        strbuf_free(&out);
    }
    CHECK_INT(folder_count(&folder), 1);
    free(bytes);
    folder_remove(&folder, "file");
}

/* The stamp of a file changes when another file takes its place, and when it gets other contents.
 */
static void test_stamps(void) {
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    CHECK(file_stamp(path) == 0 && file_stamp("/tmp") == 0);
    CHECK_INT(file_write(path, "one", 3), 0);
    uint64_t first = file_stamp(path);
    CHECK(first != 0 && file_stamp(path) == first);
    CHECK_INT(file_write(path, "two", 3), 0); /* another file of this name */
    uint64_t second = file_stamp(path);
    CHECK(second != 0 && second != first);
    FILE *stream;
    CHECK_INT(file_append(path, &stream), 0);
    fputs("three", stream);
    fclose(stream);
    CHECK(file_stamp(path) != second && file_stamp(path) != first);
    folder_remove(&folder, "file");
}

static void check_contents(const char *path, const char *want) {
    StrBuf out = STRBUF_INIT;
    CHECK_INT(file_read(path, &out), 0);
    CHECK_STR(out.ptr, want);
    strbuf_free(&out);
}

static void test_old_file_stays_until_commit(void) {
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    CHECK_INT(file_write(path, "old", 3), 0);
    FileWriter writer;
    CHECK_INT(file_begin(&writer, path), 0);
    fputs("abandoned", writer.stream);
    fflush(writer.stream);
    check_contents(path, "old");
    CHECK_INT(folder_count(&folder), 2);
    file_abandon(&writer);
    check_contents(path, "old");
    CHECK_INT(file_begin(&writer, path), 0);
    fputs("new", writer.stream);
    CHECK_INT(file_commit(&writer), 0);
    check_contents(path, "new");
    CHECK_INT(folder_count(&folder), 1);
    folder_remove(&folder, "file");
}

static void test_mode_and_links_stay(void) {
    Folder folder = folder_make();
    Folder links = {.path = "", .file = STRBUF_INIT};
    memcpy(links.path, folder.path, sizeof(folder.path));
    const char *path = folder_file(&folder, "file"), *link = folder_file(&links, "link");
    CHECK_INT(file_write(path, "old", 3), 0);
    CHECK(chmod(path, 0751) == 0 && symlink("file", link) == 0);
    CHECK_INT(file_write(link, "new", 3), 0);
    struct stat info;
    CHECK(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    check_contents(path, "new");
    CHECK(lstat(path, &info) == 0 && S_ISREG(info.st_mode));
    CHECK_INT(info.st_mode & 0777, 0751);
    CHECK(file_is_same(path, link) && !file_is_same(path, "/dev/null"));
    CHECK(!file_is_same(path, folder_file(&links, "none")));
    CHECK(file_is_same("none-there", "./none-there") && !file_is_same("none-there", "nor-there"));
    CHECK(!file_is_same("none-there", folder_file(&links, "none-there")));
    CHECK_INT(folder_count(&folder), 2);
    remove(folder_file(&links, "link"));
    strbuf_free(&links.file);
    folder_remove(&folder, "file");
}

static void test_write_errors(void) {
    FileWriter writer;
    CHECK_INT(file_begin(&writer, "/tmp/komadori/is/not/there"), ENOENT);
    CHECK(writer.stream == NULL && writer.path.ptr == NULL);
    if (access("/dev/full", W_OK) == 0) {
        CHECK_INT(file_write("/dev/full", "x", 1), ENOSPC);
    }
    CHECK_INT(file_write("/dev/null", "x", 1), 0);
    struct stat info;
    CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

typedef struct Race {
    const char *path;
    int failures[4];
} Race;

static void test_write_can_be_tried(void) {
    Folder folder = folder_make();
    CHECK_INT(file_check_write(folder_file(&folder, "file")), 0);
    CHECK_INT(folder_count(&folder), 0);
    CHECK_INT(file_write(folder_file(&folder, "file"), "old", 3), 0);
    CHECK_INT(file_check_write(folder.file.ptr), 0);
    CHECK_INT(folder_count(&folder), 1);
    check_contents(folder.file.ptr, "old");
    CHECK_INT(file_check_write(folder.path), EISDIR);
    CHECK_INT(file_check_write("/dev/null"), 0);
    CHECK_INT(file_check_write(folder_file(&folder, "nowhere/file")), ENOENT);
    /* Nobody reads from this pipe, and the test does not wait for a reader. */
    CHECK_INT(mkfifo(folder_file(&folder, "pipe"), 0600), 0);
    CHECK_INT(file_check_write(folder.file.ptr), 0);
    CHECK_INT(remove(folder.file.ptr), 0);
    folder_remove(&folder, "file");
}

static void test_beginnings(void) {
    Folder folder = folder_make();
    CHECK_INT(file_write(folder_file(&folder, "file"), "KMD\0\xFFold", 8), 0);
    CHECK(file_begins_with(folder.file.ptr, SV("KMD\0\xFF")));
    CHECK(file_begins_with(folder.file.ptr, SV("KMD\0\xFFold")));
    CHECK(!file_begins_with(folder.file.ptr, SV("KMD\0\xFFolder")));
    CHECK(!file_begins_with(folder.file.ptr, SV("KMD\0\xFEold")));
    CHECK(!file_begins_with(folder.path, SV("KMD")));
    CHECK(!file_begins_with(folder_file(&folder, "nowhere"), SV("KMD")));
    /* Nobody writes into this pipe, and the test does not wait for a writer. */
    CHECK_INT(mkfifo(folder_file(&folder, "pipe"), 0600), 0);
    CHECK(!file_begins_with(folder.file.ptr, SV("KMD")));
    CHECK_INT(remove(folder.file.ptr), 0);
    folder_remove(&folder, "file");
}

static bool is_own(FILE *stream) {
    return (fcntl(fileno(stream), F_GETFD) & FD_CLOEXEC) != 0;
}

/* Programs that are started while a file is written do not inherit it. */
static void test_append(void) {
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    for (int i = 0; i < 2; i++) {
        FILE *stream;
        CHECK_INT(file_append(path, &stream), 0);
        CHECK(is_own(stream));
        CHECK(fputs("line\n", stream) >= 0 && fclose(stream) == 0);
    }
    StrBuf out = STRBUF_INIT;
    CHECK_INT(file_read(path, &out), 0);
    CHECK_STR(out.ptr, "line\nline\n");
    FileWriter writer;
    CHECK_INT(file_begin(&writer, path), 0);
    CHECK(is_own(writer.stream));
    file_abandon(&writer);
    CHECK_INT(file_begin(&writer, "/dev/null"), 0);
    CHECK(is_own(writer.stream));
    CHECK_INT(file_commit(&writer), 0);
    FILE *none;
    CHECK_INT(file_append(folder.path, &none), EISDIR);
    CHECK(none == NULL);
    strbuf_free(&out);
    folder_remove(&folder, "file");
}

static void test_locks(void) {
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    FILE *first, *second;
    CHECK_INT(file_append(path, &first), 0);
    CHECK_INT(file_append(path, &second), 0);
    CHECK(file_lock(first));
    CHECK(!file_lock(second));
    fclose(first);
    CHECK(file_lock(second));
    fclose(second);
    folder_remove(&folder, "file");
}

/* This program is in the folder that the function finds. */
static void test_files_beside_the_program(void) {
    StrBuf path = STRBUF_INIT;
    file_look_up(SV("/test_fileio"), true, &path);
    CHECK_STR(path.ptr, "/test_fileio");
    strbuf_clear(&path);
    file_look_up(SV("no such file"), true, &path);
    CHECK_STR(path.ptr, "no such file");
    strbuf_clear(&path);
    file_look_up(SV("tests"), false, &path); /* a folder of the working directory */
    CHECK_STR(path.ptr, "tests");
    if (access("/proc/self/exe", F_OK) == 0) {
        strbuf_clear(&path);
        file_look_up(SV("test_fileio"), false, &path);
        CHECK(path.ptr[0] == '/' && access(path.ptr, X_OK) == 0);
    }
    strbuf_free(&path);
}

static void write_often(void *context, int index) {
    Race *race = context;
    char text[5] = {'a', 'a', 'a', 'a', '\0'};
    memset(text, 'a' + index, 4);
    for (int i = 0; i < 20; i++) {
        race->failures[index] += file_write(race->path, text, 4) != 0;
    }
}

/* If several threads write to one path, the file contains the output of only one of them. */
static void test_writers_do_not_mix(void) {
    Folder folder = folder_make();
    Race race = {.path = folder_file(&folder, "file")};
    parallel_run(4, write_often, &race);
    StrBuf out = STRBUF_INIT;
    CHECK_INT(file_read(race.path, &out), 0);
    CHECK(out.len == 4 && out.ptr[0] == out.ptr[3]);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(race.failures[i], 0);
    }
    CHECK_INT(folder_count(&folder), 1);
    strbuf_free(&out);
    folder_remove(&folder, "file");
}

static void make_often(void *context, int index) {
    Race *race = context;
    for (int i = 0; i < 300; i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%d/%d", race->path, i, i);
        race->failures[index] += file_make_folder(path) != 0;
    }
}

/* Four threads that make the same folders at once all succeed. */
static void test_makers_of_one_folder(void) {
    Folder folder = folder_make();
    Race race = {.path = folder.path};
    parallel_run(4, make_often, &race);
    CHECK_INT(folder_count(&folder), 300);
    for (int i = 0; i < 300; i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%d/%d", folder.path, i, i);
        CHECK(file_is_folder(path) && rmdir(path) == 0);
        *strrchr(path, '/') = '\0';
        CHECK(rmdir(path) == 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_INT(race.failures[i], 0);
    }
    folder_remove(&folder, "none");
}

static void test_folders(void) {
    Folder folder = folder_make();
    StrBuf path = STRBUF_INIT;
    file_join(folder.path, SV("a/b//"), &path);
    CHECK(file_names_folder(path.ptr) && !file_is_folder(path.ptr));
    CHECK_INT(file_make_folder(path.ptr), 0);
    CHECK(file_is_folder(path.ptr) && file_make_folder(path.ptr) == 0);
    file_join(path.ptr, SV("file"), &folder.file);
    CHECK(sv_ends_with(strbuf_view(&folder.file), SV("/a/b//file")));
    CHECK_INT(file_write(folder.file.ptr, "x", 1), 0);
    CHECK(!file_names_folder(folder.file.ptr) && file_make_folder(folder.file.ptr) != 0);
    strbuf_add_str(&folder.file, "/below");
    CHECK_INT(file_make_folder(folder.file.ptr), EEXIST);
    CHECK(!file_names_folder(""));
    remove(folder_file(&folder, "a/b/file"));
    CHECK(rmdir(folder_file(&folder, "a/b")) == 0);
    strbuf_free(&path);
    folder_remove(&folder, "a");
}

static void put(LineBuf *buf, const char *text) {
    size_t len = strlen(text);
    memcpy(linebuf_room(buf, len), text, len);
    linebuf_filled(buf, len);
}

static void check_line(LineBuf *buf, const char *want) {
    StrView line = {NULL, 0};
    CHECK(linebuf_next(buf, &line) && sv_equal(line, sv_from(want)));
}

/* A line that is too long is cut as soon as it exceeds the limit, and only once. Memory use stays
 * bounded. */
static void test_overlong(void) {
    LineBuf buf = {.most = 8};
    put(&buf, "123456789");
    CHECK(linebuf_has_line(&buf));
    check_line(&buf, "12345678");
    CHECK(buf.is_cut && !linebuf_has_line(&buf));
    for (int i = 0; i < 100; i++) {
        put(&buf, "and so on");
        CHECK(!linebuf_has_line(&buf) && buf.bytes.len <= 9);
    }
    put(&buf, "abc\nnext\nand a longer one\r\nlast");
    check_line(&buf, "next");
    CHECK(!buf.is_cut);
    check_line(&buf, "and a lo");
    CHECK(buf.is_cut && !linebuf_has_line(&buf));
    StrView line;
    CHECK(linebuf_last(&buf, &line) && sv_equal(line, SV("last")));
    CHECK(!linebuf_last(&buf, &line));
    linebuf_free(&buf);
}

UNIT_MAIN({"one writer has a file", test_locks},
          {"lines end in LF, CR LF or the file", test_line_ends},
          {"lines that are too long", test_overlong}, {"a long last line", test_long_last_line},
          {"lines may be long", test_long_lines},
          {"a pipe's line comes when it is whole", test_pipe_in_pieces},
          {"descriptors that do not block are waited for", test_descriptors_that_do_not_block},
          {"errors of reading are returned", test_read_errors},
          {"files are read and mapped whole", test_whole_files},
          {"the old file stays until the new one is whole", test_old_file_stays_until_commit},
          {"modes and symbolic links stay", test_mode_and_links_stay},
          {"errors of writing are returned", test_write_errors},
          {"writing can be tried without a trace", test_write_can_be_tried},
          {"a file that changed", test_stamps}, {"what a file begins with", test_beginnings},
          {"what is written is not handed down", test_append},
          {"files beside the program", test_files_beside_the_program},
          {"writers of one path do not mix", test_writers_do_not_mix},
          {"folders are made above folders", test_folders},
          {"several may make one folder", test_makers_of_one_folder})
