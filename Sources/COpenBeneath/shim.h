#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <errno.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Opens a file beneath a folder; the kernel refuses whatever leads out of it, be it `..`, a link or a rename on the way.
///
/// `openat2` has no function in the C library, and Swift cannot call `syscall`, which takes any number of arguments. The
/// numbers are those of <linux/openat2.h>, which not every system has: RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
///
/// @return The descriptor, or -1 with `errno`; ENOSYS where the system has no such call.
static inline int system_open_beneath(int folder, const char *path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
    struct {
        uint64_t flags, mode, resolve;
    } how = {(uint64_t)(unsigned)flags, 0, 0x08 | 0x02};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
    (void)folder, (void)path, (void)flags;
    errno = ENOSYS;
    return -1;
#endif
}

#endif
