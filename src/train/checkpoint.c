/* checkpoint.c: writes the header, the losses and the three arrays of numbers, and checks them when
 * reading. */
#include "train/checkpoint.h"

#include <errno.h>
#include <string.h>

#include "base/checksum.h"
#include "base/fileio.h"

enum { CHECKPOINT_VERSION = 7, ARRAY_MAX = 4 };

typedef struct CheckpointHeader {
    char magic[8];
    uint32_t version, hidden, arrays;
    CheckpointKey key;
    uint64_t step, averaged;
    double done; /* part of the run done, 0 to 1 */
    TrainState state;
    uint32_t content_crc, crc;
} CheckpointHeader;

static const char checkpoint_magic[8] = "KMDSTAT";

/* Returns the number of arrays. */
static int arrays_of(const Trainer *trainer, float *arrays[ARRAY_MAX]) {
    arrays[0] = trainer->exact;
    arrays[1] = trainer->moment1;
    arrays[2] = trainer->moment2;
    arrays[3] = trainer->average;
    return trainer->average != NULL ? ARRAY_MAX : ARRAY_MAX - 1;
}

CheckpointKey checkpoint_key(const Trainer *trainer, CheckpointKey feed) {
    const TrainOptions *options = &trainer->options;
    double parts[] = {options->rate,         options->average_part,     options->decay,
                      options->result_share, options->result_share_end, options->scale};
    uint64_t hash = checksum_fnv(feed.options, parts, sizeof(parts));
    return (CheckpointKey){.samples = feed.samples, .options = hash};
}

int checkpoint_save(const char *path, const CheckpointKey *key, const Trainer *trainer,
                    const TrainState *state) {
    float *arrays[ARRAY_MAX];
    int count = arrays_of(trainer, arrays);
    StrBuf out = STRBUF_INIT;
    CheckpointHeader header;
    memset(&header, 0, sizeof(header));
    memcpy(header.magic, checkpoint_magic, sizeof(checkpoint_magic));
    header.version = CHECKPOINT_VERSION;
    header.hidden = (uint32_t)trainer->model.hidden;
    header.key = *key;
    header.step = trainer->step;
    header.averaged = trainer->averaged;
    header.arrays = (uint32_t)count;
    header.done = trainer->progress;
    header.state = *state;
    strbuf_add_bytes(&out, &header, sizeof(header));
    for (int i = 0; i < count; i++) {
        strbuf_add_bytes(&out, arrays[i], trainer->model.count * sizeof(float));
    }
    header.content_crc = checksum_crc32(out.ptr + sizeof(header), out.len - sizeof(header));
    header.crc = checksum_crc32(&header, offsetof(CheckpointHeader, crc));
    memcpy(out.ptr, &header, sizeof(header));
    int error = file_write(path, out.ptr, out.len);
    strbuf_free(&out);
    return error;
}

/* Returns NULL, or why the checkpoint cannot be used. */
static const char *check_header(const StrBuf *bytes, const CheckpointKey *key,
                                const Trainer *trainer, CheckpointHeader *header) {
    if (bytes->len < sizeof(*header)) {
        return "not a checkpoint, or damaged";
    }
    memcpy(header, bytes->ptr, sizeof(*header));
    if (memcmp(header->magic, checkpoint_magic, sizeof(checkpoint_magic)) != 0 ||
        header->crc != checksum_crc32(header, offsetof(CheckpointHeader, crc)) ||
        header->content_crc !=
            checksum_crc32(bytes->ptr + sizeof(*header), bytes->len - sizeof(*header))) {
        return "not a checkpoint, or damaged";
    }
    if (header->version != CHECKPOINT_VERSION) {
        return "written by another version of komadori-train";
    }
    if (header->hidden != (uint32_t)trainer->model.hidden ||
        bytes->len != sizeof(*header) + header->arrays * trainer->model.count * sizeof(float)) {
        return "was made for a network of another shape";
    }
    if (header->key.samples != key->samples) {
        return "was made from other games or other samples";
    }
    float *arrays[ARRAY_MAX];
    bool is_same = header->key.options == key->options &&
                   header->arrays == (uint32_t)arrays_of(trainer, arrays);
    return is_same ? NULL : "was made with other options";
}

const char checkpoint_absent[] = "does not exist yet";

const char *checkpoint_load(const char *path, const CheckpointKey *key, Trainer *trainer,
                            TrainState *state) {
    StrBuf bytes = STRBUF_INIT;
    int system_error = file_read(path, &bytes);
    if (system_error != 0) {
        strbuf_free(&bytes);
        return system_error == ENOENT ? checkpoint_absent : "cannot be read";
    }
    CheckpointHeader header;
    const char *error = check_header(&bytes, key, trainer, &header);
    if (error == NULL) {
        float *arrays[ARRAY_MAX];
        int count = arrays_of(trainer, arrays);
        size_t size = trainer->model.count * sizeof(float);
        for (int i = 0; i < count; i++) {
            memcpy(arrays[i], bytes.ptr + sizeof(header) + (size_t)i * size, size);
        }
        trainer->step = header.step;
        trainer->averaged = header.averaged;
        trainer->progress = header.done;
        trainer_refresh(trainer);
        *state = header.state;
    }
    strbuf_free(&bytes);
    return error;
}
