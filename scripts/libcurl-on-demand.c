// Stands in for libcurl where glass-host is linked statically, and loads the real one at the first call.
//
// FoundationNetworking and GlassDelivery need 27 functions of libcurl, and libcurl some thirty libraries: TLS, Kerberos,
// LDAP. Loading them was a quarter of what `open` took, and few commands send anything. A function that a later Foundation
// needs and that is missing here fails the link of the probe in scripts/static-libraries, and scripts/glass-host builds as
// usual then.
//
// The functions are those of https://curl.se/libcurl/c/allfuncs.html; handles are pointers here and codes are int.
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Name, result, parameters, arguments.
#define FUNCTIONS(X)                                                                                    \
  X(curl_easy_cleanup, void, (void *a), (a))                                                            \
  X(curl_easy_init, void *, (void), ())                                                                 \
  X(curl_easy_pause, int, (void *a, int b), (a, b))                                                     \
  X(curl_easy_reset, void, (void *a), (a))                                                              \
  X(curl_easy_strerror, const char *, (int a), (a))                                                     \
  X(curl_free, void, (void *a), (a))                                                                    \
  X(curl_global_init, int, (long a), (a))                                                               \
  X(curl_multi_add_handle, int, (void *a, void *b), (a, b))                                             \
  X(curl_multi_assign, int, (void *a, int b, void *c), (a, b, c))                                       \
  X(curl_multi_cleanup, int, (void *a), (a))                                                            \
  X(curl_multi_info_read, void *, (void *a, int *b), (a, b))                                            \
  X(curl_multi_init, void *, (void), ())                                                                \
  X(curl_multi_perform, int, (void *a, int *b), (a, b))                                                 \
  X(curl_multi_poll, int, (void *a, void *b, unsigned int c, int d, int *e), (a, b, c, d, e))           \
  X(curl_multi_remove_handle, int, (void *a, void *b), (a, b))                                          \
  X(curl_multi_socket_action, int, (void *a, int b, int c, int *d), (a, b, c, d))                       \
  X(curl_multi_wakeup, int, (void *a), (a))                                                             \
  X(curl_slist_append, void *, (void *a, const char *b), (a, b))                                        \
  X(curl_slist_free_all, void, (void *a), (a))                                                          \
  X(curl_url, void *, (void), ())                                                                       \
  X(curl_url_get, int, (const void *a, int b, char **c, unsigned int d), (a, b, c, d))                  \
  X(curl_url_set, int, (void *a, int b, const char *c, unsigned int d), (a, b, c, d))                   \
  X(curl_version, char *, (void), ())                                                                   \
  X(curl_version_info, void *, (int a), (a))

// These take one more argument of a type that the option decides: a long, a pointer or a 64-bit integer. On the 64-bit
// systems that Swift runs on, all three are passed alike.
#define VARIADIC(X) X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_multi_setopt)

#define POINTER(name, result, parameters, arguments) static result(*real_##name) parameters;
FUNCTIONS(POINTER)
#define VARIADIC_POINTER(name) static int (*real_##name)(void *, int, ...);
VARIADIC(VARIADIC_POINTER)

static void *find(void *library, const char *name) {
  void *function = library ? dlsym(library, name) : NULL;
  if (function) return function;
  fprintf(stderr, "glass-host: the network needs libcurl.so.4, which cannot be used: %s\n", dlerror());
  exit(2);
}

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#define FIND(name, ...) real_##name = (__typeof__(real_##name))find(library, #name);
  FUNCTIONS(FIND)
  VARIADIC(FIND)
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

#define DEFINE(name, result, parameters, arguments) \
  result name parameters {                          \
    pthread_once(&once, load);                      \
    return real_##name arguments;                   \
  }
FUNCTIONS(DEFINE)

#define DEFINE_VARIADIC(name)                   \
  int name(void *handle, int option, ...) {     \
    va_list list;                               \
    va_start(list, option);                     \
    void *argument = va_arg(list, void *);      \
    va_end(list);                               \
    pthread_once(&once, load);                  \
    return real_##name(handle, option, argument); \
  }
VARIADIC(DEFINE_VARIADIC)
