/* target.h: checks at compile time that Komadori supports the target machine, and gives one clear
 * message if not. This file includes nothing, so that the Makefile can compile it before everything
 * else. */
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
