/* version.h: the version of Komadori, for programs and for users of the library. */
#ifndef KMD_KOMADORI_VERSION_H
#define KMD_KOMADORI_VERSION_H

#define KMD_VERSION "0.2.0"

#endif
