#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif

/// Opens a file beneath a folder. The kernel rejects any path that leads outside the folder, through `..`, a symbolic
/// link or a concurrent rename.
///
/// The C library has no wrapper for `openat2`, and Swift cannot call the variadic `syscall`. The numbers are
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS of <linux/openat2.h>, which not every system has.
///
/// @return The descriptor, or -1 with `errno`; ENOSYS if the system has no such call.
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

/// Limits the memory that a process may use for data, in bytes. Only Linux can limit a process other than the caller.
///
/// The C library declares `prlimit` only if _GNU_SOURCE is defined, which Swift does not do. The kernel's limits have
/// 64 bits on every machine.
///
/// @return 0, or -1 with `errno`; ENOSYS if the system has no such call.
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

/// Returns freed memory to the system, if the allocator supports it.
///
/// Allocators keep freed memory for later allocations. This call takes milliseconds, and later allocations have to ask
/// the system again, so call it only when idle. It is in C because Swift's Glibc module omits <malloc.h>.
static inline void allocator_give_back(void) {
#if defined(__APPLE__)
    malloc_zone_pressure_relief(NULL, 0);
#elif defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
