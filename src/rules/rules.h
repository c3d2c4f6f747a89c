/* rules.h: what has to happen before anything else of rules/ is used. */
#ifndef KMD_RULES_RULES_H
#define KMD_RULES_RULES_H

/* Fills all tables of rules/. Call once, before anything else of rules/ and before threads start;
 * calling it again does nothing. */
void rules_init(void);

#endif
