/* rules.h: what has to happen before anything else of rules/ is used. */
#ifndef KMD_RULES_RULES_H
#define KMD_RULES_RULES_H

/* Fills all tables of rules/. To be called before anything else of rules/, by any thread; when they
 * are filled it does nothing. */
void rules_init(void);

#endif
