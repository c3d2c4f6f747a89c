/* replay.c: runs a fuzz entry over its corpus without libFuzzer, so that `make test` repeats all
 * inputs.
 *
 * usage: fuzz_NAME FILE-OR-FOLDER...
 *
 * Each input is run unchanged, cut to many lengths, and with single bytes changed in a fixed
 * sequence. The test fails if the fuzz entry crashes or ends the program. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/rng.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_CUTS = 200, CHANGES = 300 };

typedef struct Replay {
    Rng rng; /* reset for each file */
    int passed;
    int failed;
} Replay;

/* Passes a block of exactly the input's size, so that reading past its end is detected. */
static void run_bytes(const char *bytes, size_t len) {
    uint8_t *copy = malloc(len > 0 ? len : 1);
    if (copy == NULL) {
        exit(EXIT_FAILURE);
    }
    if (len > 0) {
        memcpy(copy, bytes, len);
    }
    LLVMFuzzerTestOneInput(copy, len);
    free(copy);
}

static void run_changed(Replay *replay, StrBuf *input) {
    static const char telling[] = " \t\r\n\0+-*/.0123456789aAbBkKlLnNpPrRsSgGwm\x80\xE9\xFF";
    for (int i = 0; i < CHANGES && input->len > 0; i++) {
        char *byte = &input->ptr[rng_below(&replay->rng, input->len)];
        char old = *byte;
        *byte = rng_below(&replay->rng, 4) == 0
                    ? (char)rng_below(&replay->rng, 256)
                    : telling[rng_below(&replay->rng, sizeof(telling) - 1)];
        run_bytes(input->ptr, input->len);
        *byte = old;
    }
}

static void run_file(Replay *replay, const char *path) {
    StrBuf input = STRBUF_INIT;
    int error = file_read(path, &input);
    if (error != 0) {
        printf("FAIL  %s: %s\n", path, file_error_text(error));
        replay->failed++;
        return;
    }
    /* Printed before the run, so that after a crash the last line names the input. */
    printf("replay %s\n", path);
    replay->rng = rng_init(1);
    run_bytes(input.ptr, input.len);
    size_t step = input.len / MAX_CUTS + 1;
    for (size_t len = 0; len < input.len; len += step) {
        run_bytes(input.ptr, len);
    }
    run_changed(replay, &input);
    replay->passed++;
    strbuf_free(&input);
}

static void run_folder(Replay *replay, const char *path, DIR *dir) {
    StrBuf file = STRBUF_INIT;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] != '.') {
            strbuf_clear(&file);
            strbuf_addf(&file, "%s/%s", path, entry->d_name);
            run_file(replay, file.ptr);
        }
    }
    strbuf_free(&file);
}

int main(int argc, char **argv) {
    Replay replay = {.passed = 0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (dir != NULL) {
            run_folder(&replay, argv[i], dir);
            closedir(dir);
        } else {
            run_file(&replay, argv[i]);
        }
    }
    printf("%d passed, %d failed\n", replay.passed, replay.failed);
    return replay.failed > 0;
}
