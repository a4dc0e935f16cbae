#ifndef CALLOCATOR_SHIM_H
#define CALLOCATOR_SHIM_H

#include <stdlib.h>
#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif

/// Gives freed memory back to the system, where the allocator can.
///
/// Allocators keep it for what comes next. Takes milliseconds, and what comes next asks the system again, so it is for moments
/// in which nothing is done. Swift's module of glibc leaves out <malloc.h>.
static inline void allocator_give_back(void) {
#if defined(__APPLE__)
    malloc_zone_pressure_relief(NULL, 0);
#elif defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
