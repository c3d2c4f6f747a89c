/* target.h: checks that Komadori can run on the target machine, with one clear message if not. It
 * includes nothing, so that it can be compiled before anything else: the Makefile does. */
#ifndef KMD_BASE_TARGET_H
#define KMD_BASE_TARGET_H

#if !defined(__GNUC__)
#error "Komadori needs gcc or clang"
#elif __SIZEOF_POINTER__ != 8
#error "Komadori needs a 64-bit machine: choose another CROSS or leave out -m32"
#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Komadori needs a little-endian machine: this one is big-endian"
#endif

#endif
