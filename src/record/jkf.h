/* jkf.h: JKF, a JSON format that web programs use. The codec is a constant: safe from every
 * thread. */
#ifndef KMD_RECORD_JKF_H
#define KMD_RECORD_JKF_H

#include "record/codec.h"

extern const Codec jkf_codec;

#endif
