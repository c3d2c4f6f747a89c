/* neterror.h: why a file cannot be used as a network. Plain data; net_error_text has the words. */
#ifndef KMD_EVAL_NETERROR_H
#define KMD_EVAL_NETERROR_H

typedef enum NetError {
    NET_OK,
    NET_UNREADABLE,   /* the operating system could not read the file */
    NET_NO_NET,       /* the file does not start like a network */
    NET_BAD_VERSION,  /* unknown version */
    NET_BAD_SHAPE,    /* unknown shape or scale */
    NET_BAD_LENGTH,   /* the file length does not match the shape */
    NET_BAD_CHECKSUM, /* damaged */
    NET_BAD_WEIGHT    /* a weight is out of range */
} NetError;

#endif
