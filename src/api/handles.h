/* handles.h: the definitions of the opaque types of include/, for the files of this folder. */
#ifndef KMD_API_HANDLES_H
#define KMD_API_HANDLES_H

#include "rules/position.h"

/* KmdPosition of komadori/shogi.h. */
struct KmdPosition {
    Position inner;
};

#endif
