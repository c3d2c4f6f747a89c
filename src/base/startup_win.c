/* What a Windows program needs before main, linked into each program and not into the library:
 * bytes pass the standard streams as they are, the console shows UTF-8 (the manifest beside this
 * file makes it the encoding of paths and arguments too), and timers have a resolution of 1 ms
 * instead of the 16 ms that would be lost with every move. */
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

static void __attribute__((constructor)) start_up(void) {
    enum { STREAMS = 3 };
    _fmode = _O_BINARY;
    for (int fd = 0; fd < STREAMS; fd++) {
        _setmode(fd, _O_BINARY);
    }
    SetConsoleCP(CP_UTF8);
    SetConsoleOutputCP(CP_UTF8);
    timeBeginPeriod(1);
    /* A crash ends the program; no window asks anybody, for a GUI or a match waits for the end. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}
