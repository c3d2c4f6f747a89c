/* connect_win.c: opens TCP connections with overlapped sockets, which proc_win.c reads and writes
 * like pipes. */
#include "base/connect.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>

#include <mstcpip.h>

/* Connects to one of a host's addresses. Returns INVALID_SOCKET on failure. */
static SOCKET connect_to(const struct addrinfo *address, int64_t timeout_ms) {
    SOCKET to = WSASocketW(address->ai_family, address->ai_socktype, address->ai_protocol, NULL, 0,
                           WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    u_long does_wait = 0, no_wait = 1;
    const int on = 1;
    if (to == INVALID_SOCKET) {
        return to;
    }
    ioctlsocket(to, (long)FIONBIO, &no_wait);
    bool is_good = connect(to, address->ai_addr, (int)address->ai_addrlen) == 0;
    if (!is_good && WSAGetLastError() == WSAEWOULDBLOCK) {
        fd_set writable, failed;
        struct timeval limit = {(long)(timeout_ms / 1000), (long)(timeout_ms % 1000 * 1000)};
        FD_ZERO(&writable);
        FD_ZERO(&failed);
        FD_SET(to, &writable);
        FD_SET(to, &failed);
        is_good = select(0, NULL, &writable, &failed, &limit) > 0 && FD_ISSET(to, &writable);
    }
    if (!is_good) {
        closesocket(to);
        return INVALID_SOCKET;
    }
    ioctlsocket(to, (long)FIONBIO, &does_wait);
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof(on));
    /* Lets the system find out within minutes that the other side has vanished without a word. */
    struct tcp_keepalive keep = {.onoff = 1, .keepalivetime = 60000, .keepaliveinterval = 15000};
    DWORD got = 0;
    if (WSAIoctl(to, SIO_KEEPALIVE_VALS, &keep, sizeof(keep), NULL, 0, &got, NULL, NULL) != 0) {
        setsockopt(to, SOL_SOCKET, SO_KEEPALIVE, (const char *)&on, sizeof(on));
    }
    return to;
}

bool connect_tcp(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                 StrBuf *error) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    SOCKET to = INVALID_SOCKET;
    WSADATA data;
    *out = NULL;
    bool is_good = WSAStartup(MAKEWORD(2, 2), &data) == 0;
    bool is_known = is_good && getaddrinfo(host, port, &hints, &found) == 0;
    for (const struct addrinfo *at = found; at != NULL && to == INVALID_SOCKET; at = at->ai_next) {
        to = connect_to(at, timeout_ms);
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    if (to == INVALID_SOCKET) {
        strbuf_addf(error, "cannot connect to %s, port %s: %s", host, port,
                    is_known ? "no answer" : "unknown host");
        return false;
    }
    *out = proc_of_socket((intptr_t)to);
    return true;
}
