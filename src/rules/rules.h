/* rules.h: fills the tables of rules/, once for the whole process. */
#ifndef KMD_RULES_RULES_H
#define KMD_RULES_RULES_H

/* Fills all tables of rules/. To be called before anything else of rules/, by any thread; when they
 * are filled it does nothing. */
void rules_init(void);

#endif
