/* cmd_book.h: the command `book`: makes, grows, converts and shows opening books. The table in
 * commands.h lists the command. */
#ifndef KMD_CMD_CMD_BOOK_H
#define KMD_CMD_CMD_BOOK_H

#include "command/command.h"

extern const Command cmd_book;

#endif
