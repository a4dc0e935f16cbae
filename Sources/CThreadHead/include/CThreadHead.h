#ifndef C_THREAD_HEAD_H
#define C_THREAD_HEAD_H

#include <stdbool.h>
#include <stdint.h>

/// The current builds of the calling thread: a `ThreadSlot.Head`, or null if the thread has not built anything yet.
/// Swift cannot declare thread-local variables, and `pthread_getspecific` takes three nanoseconds for every unique
/// service.
extern _Thread_local void *_Nullable thread_head;

static inline void *_Nullable get_thread_head(void) {
    return thread_head;
}

static inline void set_thread_head(void *_Nullable head) {
    thread_head = head;
}

/// The runtime's check behind `preconditionIsolated`. It has no name in Swift, and `preconditionIsolated` traps without
/// naming the service that was resolved in the wrong place.
__attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    uintptr_t identity, uintptr_t implementation, uint64_t flags);

/// Whether the calling code runs on an executor, which is two words in the runtime's interface. Without flags, the
/// check never traps.
static inline bool is_current_executor(uintptr_t identity, uintptr_t implementation) {
    return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}

#endif
