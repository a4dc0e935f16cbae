// What ThreadSanitizer needs to follow Lua; empty in every other build.
//
// Lua raises with longjmp. ThreadSanitizer keeps a stack of its own of the functions that were entered, and cuts it
// back at a jump if it sees the jump: it watches setjmp and longjmp, but not __longjmp_chk, the checked form of glibc
// with which Debian builds its liblua. Without this file each error would leave entries behind until that stack
// overflows. A definition in the program goes before the one in glibc, also for liblua.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

// Or the call below would be the checked form again.
#undef _FORTIFY_SOURCE
#include <setjmp.h>

_Noreturn void __longjmp_chk(jmp_buf place, int value);

_Noreturn void __longjmp_chk(jmp_buf place, int value) { longjmp(place, value); }

#endif
#endif
