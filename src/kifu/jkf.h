/* jkf.h: JKF, a JSON format that web programs use. The codec is a constant: safe from every
 * thread. */
#ifndef KMD_KIFU_JKF_H
#define KMD_KIFU_JKF_H

#include "kifu/codec.h"

extern const Codec jkf_codec;

#endif
