/* fuzz_detect.c: reads any bytes as a record of unknown format, and as a file with many records. */
#include <stdlib.h>
#include <unistd.h>

#include "record/kifuio.h"
#include "record_target.h"

/* Checks that reading a file of games comes to an end, that each game begins after the previous
 * one, and that an error has a reason. A good game may have one too, as a note. */
static void check_stream(const uint8_t *data, size_t size) {
    char path[] = "/tmp/komadori-fuzz-XXXXXX";
    int fd = mkstemp(path);
    KifuStream stream;
    if (fd < 0 || write(fd, data, size) != (ssize_t)size ||
        kifu_stream_open(&stream, path, NULL) != 0) {
        abort();
    }
    close(fd);
    unlink(path);
    Record record;
    KmdFault error;
    KmdNext next;
    int line = 0;
    record_init(&record);
    while ((next = kifu_stream_next(&stream, &record, &error)) != KMD_NEXT_END) {
        if (next == KMD_NEXT_FAILED || stream.first_line <= line ||
            (next == KMD_NEXT_BROKEN && error.reason == NULL)) {
            abort();
        }
        line = stream.first_line;
    }
    kifu_stream_free(&stream);
    record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    record_target("", data, size);
    check_stream(data, size);
    return 0;
}
