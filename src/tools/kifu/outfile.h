/* outfile.h: the files komadori-kifu writes. One is written under another name first and renamed
 * when it is whole: until then, what was there stays. Messages go to stderr. */
#ifndef KMD_KIFU_OUTFILE_H
#define KMD_KIFU_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

/* All zero is one that is not open. */
typedef struct OutFile {
    FILE *stream; /* NULL while it is not open */
    char *path;   /* behind symbolic links; NULL for standard output */
    char *aside;  /* NULL when path is no regular file and is written itself */
} OutFile;

/* The texts behind each other; the caller frees them. Lack of memory ends the program. */
char *outfile_join(const char *a, const char *b, const char *c);

/* Opens standard output for a path of NULL. A symbolic link stays one, and the file that it leads
 * to is written; the mode of a file that is there is kept. */
bool outfile_open(OutFile *out, const char *path);

/* Puts the file in its place if it is to be kept and was written whole; else what was there stays.
 * Closes it in any case; nothing happens to one that is not open. False when it was to be kept and
 * could not be written; of standard output main speaks. */
bool outfile_close(OutFile *out, bool is_kept);

/* What stands behind the last folder of a path: empty for the path of a folder that ends as such.
 */
const char *outfile_name(const char *path);

/* A text that is equal for two names of the same file; "-" is standard input. The caller frees it.
 * Where the system does not number its files, or there is none, it is made of the path. */
char *outfile_identity(const char *path);

bool outfile_is_same(const char *a, const char *b);

#endif
