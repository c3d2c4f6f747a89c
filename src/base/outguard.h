/* outguard.h: decides, before any work is done, whether the outputs of a program may be written, so
 * that none destroys an input, another output or a file that the user wants to keep. All programs
 * refuse in the words that are written here.
 *
 * May be called from every thread; reads and creates files, but leaves none behind. */
#ifndef KMD_BASE_OUTGUARD_H
#define KMD_BASE_OUTGUARD_H

#include "base/base.h"
#include "base/cmdline.h"
#include "base/str.h"

/* Files that may be replaced or appended to, by their first bytes. */
typedef struct OutKind {
    const char *name;                /* "a page of -html" */
    const char *start;               /* how such a file begins; NULL: is_start decides */
    bool (*is_start)(StrView start); /* given at most FILE_START_MAX bytes */
} OutKind;

typedef struct OutFile {
    const char *path;    /* NULL: not requested */
    const OutKind *kind; /* a file that is not empty is kept unless it is of this kind; NULL: any */
    const char *advice;  /* a file that is not empty is kept; what the user can do instead */
    bool is_opened_soon; /* whether the file can be written will show before any work is lost */
} OutFile;

/* Returns false, with a line for the user appended to *why, if an output must not or cannot be
 * written: it is an input or another output, it would replace a file that its kind or advice says
 * to keep, or it cannot be created. Several outputs may go to one pipe or device. `inputs` may be
 * NULL. */
bool outguard_check(const OutFile *outputs, int count, const Args *inputs, StrBuf *why) MUST_CHECK;

/* True if the two outputs or output and input (NULL: none) are one file. */
bool outguard_is_clash(const char *a, const char *b);

/* Appends "PATH: not overwritten: REASON". Returns false. */
bool outguard_keep(const char *path, const char *reason, StrBuf *why);

/* Appends that a file exists, and what the user can do instead. Returns false. */
bool outguard_keep_old(const char *path, const char *advice, StrBuf *why);

/* The reason why a path cannot be written, from an errno value. */
const char *outguard_error_text(const char *path, int error);

#define OUTGUARD_INPUT  "this is an input"
#define OUTGUARD_OUTPUT "another output has this name"

#endif
