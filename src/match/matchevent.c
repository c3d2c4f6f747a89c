/* matchevent.c: passes an event to the listeners. */
#include "match/matchevent.h"

const char *matchevent_send(const MatchListener *listeners, int count, const MatchEvent *event) {
    for (int i = 0; i < count; i++) {
        if (!listeners[i].hear(listeners[i].self, event)) {
            return listeners[i].path;
        }
    }
    return NULL;
}
