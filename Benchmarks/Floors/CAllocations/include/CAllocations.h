#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>

/// Whether this platform lets a program put its own `malloc` before the system's.
bool allocations_are_counted(void);

/// How often this process has asked for memory so far, in whatever way.
unsigned long allocations_count(void);

#endif
