// Lets ThreadSanitizer follow Lua; empty in every other build.
//
// Lua raises with longjmp. ThreadSanitizer keeps its own stack of the entered functions, and unwinds it at a jump that
// it sees: it intercepts setjmp and longjmp, but not __longjmp_chk, the checked form of glibc with which Debian builds
// its liblua. Without this file, each error would leave entries on that stack until it overflows. A definition in the
// program overrides the one in glibc, for liblua as well.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

// Otherwise the call below would be the checked form again.
#undef _FORTIFY_SOURCE
#include <setjmp.h>

_Noreturn void __longjmp_chk(jmp_buf place, int value);

_Noreturn void __longjmp_chk(jmp_buf place, int value) { longjmp(place, value); }

#endif
#endif
