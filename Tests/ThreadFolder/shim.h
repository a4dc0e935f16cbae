#ifndef CTHREADFOLDER_SHIM_H
#define CTHREADFOLDER_SHIM_H

#include <errno.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Gives this thread, and those that it starts, their own working directory and umask.
///
/// Linux keeps both in the state that `unshare(CLONE_FS)` separates; it needs no privilege (unshare(2)). Swift sees neither
/// the function nor the constant, because <sched.h> only declares them for GNU sources.
///
/// @return 0, or -1 with `errno`; ENOSYS on other systems.
static inline int thread_unshare_folder(void) {
#if defined(__linux__)
    return (int)syscall(SYS_unshare, 0x200);
#else
    errno = ENOSYS;
    return -1;
#endif
}

#endif
