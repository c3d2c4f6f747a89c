/* rules.h: fills the tables of rules/, once for the whole process. */
#ifndef KMD_RULES_RULES_H
#define KMD_RULES_RULES_H

/* Fills all tables of rules/. Call it, from any thread, before any other function of rules/. Later
 * calls do nothing. */
void rules_init(void);

#endif
