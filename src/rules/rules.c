#include "rules/rules.h"

#include "rules/attacks.h"
#include "rules/danger.h"
#include "rules/zobrist.h"

void rules_init(void) {
    attacks_init();
    zobrist_init();
    danger_init();
}
