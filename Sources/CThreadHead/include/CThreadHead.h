#ifndef C_THREAD_HEAD_H
#define C_THREAD_HEAD_H

/// What the calling thread builds: a `ThreadSlot.Head`, or null for a thread that built nothing yet. Swift cannot declare a
/// variable that each thread has its own of, and `pthread_getspecific` takes three nanoseconds of every unique service.
extern _Thread_local void *_Nullable thread_head;

static inline void *_Nullable get_thread_head(void) {
    return thread_head;
}

static inline void set_thread_head(void *_Nullable head) {
    thread_head = head;
}

#endif
