/* jkf.h: JKF, the JSON form of records that web programs use (json-kifu-format, .jkf). */
#ifndef KMD_KIFU_JKF_H
#define KMD_KIFU_JKF_H

#include "kifu/codec.h"

extern const Codec jkf_codec;

#endif
