/* connect_posix.c: opens TCP connections with the sockets of POSIX. */
#include "base/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connects to one of a host's addresses. Returns the descriptor, or -1 with errno. */
static int connect_to(const struct addrinfo *address, int64_t timeout_ms) {
    int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    int error = 0;
    socklen_t len = sizeof(error);
    if (fd < 0) {
        return -1;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
        return fd;
    }
    struct pollfd wait = {fd, POLLOUT, 0};
    if (errno != EINPROGRESS) {
        error = errno;
    } else if (poll(&wait, 1, (int)timeout_ms) <= 0) {
        error = ETIMEDOUT;
    } else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0) {
        error = errno;
    }
    if (error != 0) {
        close(fd);
        fd = -1;
        errno = error;
    }
    return fd;
}

/* Lets the system find out within minutes that the other side has vanished without a word. */
#if defined(TCP_KEEPIDLE) && defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT)

static void probe_when_idle(int fd) {
    const int on = 1, idle_s = 60, interval_s = 15, count = 4;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof(interval_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

#else

static void probe_when_idle(int fd) {
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
}

#endif

/* Probes are only sent while nothing that we have sent is unanswered. Limits the wait for an
 * answer, which Linux ends after a quarter of an hour by default. */
#if defined(TCP_USER_TIMEOUT)

static void limit_silence(int fd) {
    const unsigned limit_ms = 120000;
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit_ms, sizeof(limit_ms));
}

#else

static void limit_silence(int fd) {
    (void)fd;
}

#endif

bool connect_tcp(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                 StrBuf *error) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const int on = 1;
    struct addrinfo *found = NULL;
    int fd = -1;
    *out = NULL;
    int failure = getaddrinfo(host, port, &hints, &found);
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = connect_to(at, timeout_ms);
    }
    if (fd < 0) {
        strbuf_addf(error, "cannot connect to %s, port %s: %s", host, port,
                    failure != 0 ? gai_strerror(failure) : strerror(errno));
    } else {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* send lines at once */
        probe_when_idle(fd);
        limit_silence(fd);
        *out = proc_of_socket(fd);
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    return fd >= 0;
}
