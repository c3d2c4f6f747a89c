"""Prints the legal moves of a position, in Python, with nothing but the shared library.

    python3 legal_moves.py [SFEN]

Where the library is not installed, KOMADORI_LIBRARY names its file.
"""
import ctypes
import os
import sys

MAX_MOVES = 593  # KMD_MAX_MOVES
MOVE_TEXT_SIZE = 8  # KMD_MOVE_TEXT_SIZE

kmd = ctypes.CDLL(os.environ.get("KOMADORI_LIBRARY", "libkomadori.so.1"))
kmd.kmd_position_new.restype = ctypes.c_void_p
kmd.kmd_position_free.argtypes = [ctypes.c_void_p]
kmd.kmd_position_set_sfen.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)]
kmd.kmd_legal_moves.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint16)]
kmd.kmd_move_write.argtypes = [ctypes.c_uint16, ctypes.c_char_p]
kmd.kmd_move_write.restype = ctypes.c_char_p
kmd.kmd_error_text.restype = ctypes.c_char_p


def main():
    pos = kmd.kmd_position_new()
    column = ctypes.c_int(0)
    error = 0
    if len(sys.argv) > 1:
        error = kmd.kmd_position_set_sfen(pos, sys.argv[1].encode(), ctypes.byref(column))
    if error:
        print(f"{kmd.kmd_error_text(error).decode()}, column {column.value}", file=sys.stderr)
    else:
        moves = (ctypes.c_uint16 * MAX_MOVES)()
        for i in range(kmd.kmd_legal_moves(pos, moves)):
            print(kmd.kmd_move_write(moves[i], ctypes.create_string_buffer(MOVE_TEXT_SIZE)).decode())
    kmd.kmd_position_free(pos)
    return error != 0


sys.exit(main())
