/* version.h: the version number of Komadori, used by its programs and by users of the library. */
#ifndef KMD_KOMADORI_VERSION_H
#define KMD_KOMADORI_VERSION_H

#define KMD_VERSION "0.2.0"

#endif
