#include "CAllocations.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// A definition in the program comes before the library's, so every call of the process ends here. These are the names
// under which glibc exports the functions that are put aside; `dlsym` would allocate while it looks for them.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

bool allocations_are_counted(void) { return true; }
unsigned long allocations_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
#else
bool allocations_are_counted(void) { return false; }
unsigned long allocations_count(void) { return 0; }
#endif
