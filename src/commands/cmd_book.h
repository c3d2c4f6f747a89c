/* cmd_book.h: the command `book`: makes, grows, converts and shows opening books. The table in
 * commands.h lists the command. */
#ifndef KMD_COMMANDS_CMD_BOOK_H
#define KMD_COMMANDS_CMD_BOOK_H

#include "engine/command.h"

extern const Command cmd_book;

#endif
