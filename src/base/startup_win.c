/* startup_win.c: startup code for Windows, linked into each program but not into the library. The
 * startup code makes the standard streams binary, makes the console show UTF-8 and accept escape
 * sequences, and sets the resolution of timers to 1 ms. With the usual 16 ms, each move would lose
 * that much time. The manifest beside this file makes UTF-8 the encoding of paths and arguments
 * too. */
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

/* Makes a console accept escape sequences, which move the cursor and colour boards. Other consoles
 * than that of Windows accept them anyway; if the call fails, nothing changes. */
static void take_escapes(DWORD stream) {
    DWORD mode;
    HANDLE console = GetStdHandle(stream);
    if (GetConsoleMode(console, &mode)) {
        SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
}

static void __attribute__((constructor)) start_up(void) {
    enum { STREAMS = 3 };
    _fmode = _O_BINARY;
    for (int fd = 0; fd < STREAMS; fd++) {
        _setmode(fd, _O_BINARY);
    }
    SetConsoleCP(CP_UTF8);
    SetConsoleOutputCP(CP_UTF8);
    take_escapes(STD_OUTPUT_HANDLE);
    take_escapes(STD_ERROR_HANDLE);
    timeBeginPeriod(1);
    /* If the program crashes, it must end without showing a window, because a GUI or a match waits
     * for its end. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}
