#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/resource.h>
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

/// Limits the memory that a process may take for data, in bytes. Of another process than the calling one, only Linux can say it.
///
/// The C library declares `prlimit` where _GNU_SOURCE is defined, which Swift does not do. The numbers have 64 bits for the
/// kernel on every machine.
///
/// @return 0, or -1 with `errno`; ENOSYS where the system has no such call.
static inline int system_limit_data(int process, uint64_t bytes) {
#if defined(__linux__) && defined(SYS_prlimit64)
    const uint64_t limit[2] = {bytes, bytes};
    return (int)syscall(SYS_prlimit64, process, RLIMIT_DATA, limit, NULL);
#else
    (void)process, (void)bytes;
    errno = ENOSYS;
    return -1;
#endif
}

#endif
