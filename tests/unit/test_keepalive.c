/* The empty lines of a long isready, by a made-up clock. */

#include "unit.h"
#include "usi/keepalive.h"

/* Asked at each of a minute's milliseconds. */
static void every_five_seconds(void) {
    KeepAlive keepalive;
    const int64_t start = 123456;
    int signs = 0;
    keepalive_begin(&keepalive, start);
    for (int64_t ms = 0; ms <= 60000; ms++) {
        if (keepalive_is_due(&keepalive, start + ms)) {
            signs++;
            CHECK_INT(ms, 5000 * signs);
        }
    }
    CHECK_INT(signs, 12);
}

/* Behind a long silence one sign is enough, and the next is due five seconds later. */
static void no_sign_is_made_up_for(void) {
    KeepAlive keepalive;
    keepalive_begin(&keepalive, 0);
    CHECK(keepalive_is_due(&keepalive, 21000));
    CHECK(!keepalive_is_due(&keepalive, 21001));
    CHECK(!keepalive_is_due(&keepalive, 25999));
    CHECK(keepalive_is_due(&keepalive, 26000));
    /* Another isready begins anew. */
    keepalive_begin(&keepalive, 28000);
    CHECK(!keepalive_is_due(&keepalive, 32999));
    CHECK(keepalive_is_due(&keepalive, 33000));
}

UNIT_MAIN({"every five seconds", every_five_seconds},
          {"no sign is made up for", no_sign_is_made_up_for})
