// Prints the legal moves of a position, in C++.
//
//     c++ legal_moves.cpp $(pkg-config --cflags --libs komadori) -o legal_moves
#include <komadori/shogi.h>

#include <iostream>
#include <memory>

int main(int argc, char **argv) {
    std::unique_ptr<KmdPosition, decltype(&kmd_position_free)> pos(kmd_position_new(),
                                                                   kmd_position_free);
    int column = 0;
    KmdError error = argc > 1 ? kmd_position_set_sfen(pos.get(), argv[1], &column) : KMD_OK;
    if (error != KMD_OK) {
        std::cerr << kmd_error_text(error) << ", column " << column << '\n';
        return 1;
    }
    KmdMove list[KMD_MAX_MOVES];
    int count = kmd_legal_moves(pos.get(), list);
    for (int i = 0; i < count; i++) {
        char text[KMD_MOVE_TEXT_SIZE];
        std::cout << kmd_move_write(list[i], text) << '\n';
    }
}
