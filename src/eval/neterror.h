/* neterror.h: why a network cannot be used. net_error_text (net.h) gives the words. */
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
    NET_BAD_WEIGHT,   /* a weight is out of range */
    NET_BAD_BLOCK,    /* a compressed block is damaged */
    NET_HAS_THREATS,  /* threat inputs of another program */
    NET_HAS_PSQT,     /* piece-square outputs, which this program cannot evaluate */
    NET_UNFINISHED,   /* a file from within a training, with factorised weights */
    NET_ACTIVATION    /* an activation that this program cannot evaluate */
} NetError;

#endif
