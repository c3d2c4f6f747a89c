/* cmd_book.h: the command `book`: makes, grows, converts and shows opening books. The table in
 * commands.h lists the command. */
#ifndef KMD_PROGRAM_CMD_BOOK_H
#define KMD_PROGRAM_CMD_BOOK_H

#include "usi/command.h"

extern const Command cmd_book;

#endif
