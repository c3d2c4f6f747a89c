/* The startup code of Windows programs, linked into each program and not into the library:
 * bytes pass the standard streams as they are, the console shows UTF-8 (the manifest beside this
 * file makes it the encoding of paths and arguments too) and takes escape sequences, and timers
 * have a resolution of 1 ms instead of the 16 ms that would be lost with every move. */
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

/* Escape sequences move the cursor and colour boards; consoles other than Windows' own support them
 * anyway, and one that does not is left unchanged. */
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
    /* A crash ends the program; no window may appear, because a GUI or a match waits for the
     * end. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}
