// Stands in for libcurl in a release and loads the libcurl of the system at the first request.
//
// libcurl needs about thirty libraries, which take longer to load than most commands take to run, and which a bare system
// does not have. Without libcurl, `curl_global_init` fails, which GlassTransfer calls first; Foundation's URL sessions, which
// only an app's own services use, do not call it. A function that is missing here fails the link. The prototypes are checked
// against libcurl's own, except that of `curl_url_get`, to which versions after 7.88 add `const`.
#define CURL_DISABLE_TYPECHECK
#define curl_url_get curl_url_get_of_version
#include <curl/curl.h>
#undef curl_url_get
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Result, name, parameters, arguments.
#define FUNCTIONS(X)                                                                                             \
  X(void, curl_easy_cleanup, (CURL * a), (a))                                                                    \
  X(CURL *, curl_easy_init, (void), ())                                                                          \
  X(CURLcode, curl_easy_pause, (CURL * a, int b), (a, b))                                                        \
  X(void, curl_easy_reset, (CURL * a), (a))                                                                      \
  X(const char *, curl_easy_strerror, (CURLcode a), (a))                                                         \
  X(void, curl_free, (void *a), (a))                                                                             \
  X(CURLMcode, curl_multi_add_handle, (CURLM * a, CURL * b), (a, b))                                             \
  X(CURLMcode, curl_multi_assign, (CURLM * a, curl_socket_t b, void *c), (a, b, c))                              \
  X(CURLMcode, curl_multi_cleanup, (CURLM * a), (a))                                                             \
  X(CURLMsg *, curl_multi_info_read, (CURLM * a, int *b), (a, b))                                                \
  X(CURLM *, curl_multi_init, (void), ())                                                                        \
  X(CURLMcode, curl_multi_perform, (CURLM * a, int *b), (a, b))                                                  \
  X(CURLMcode, curl_multi_poll, (CURLM * a, struct curl_waitfd b[], unsigned c, int d, int *e), (a, b, c, d, e)) \
  X(CURLMcode, curl_multi_remove_handle, (CURLM * a, CURL * b), (a, b))                                          \
  X(CURLMcode, curl_multi_socket_action, (CURLM * a, curl_socket_t b, int c, int *d), (a, b, c, d))              \
  X(CURLMcode, curl_multi_wakeup, (CURLM * a), (a))                                                              \
  X(struct curl_slist *, curl_slist_append, (struct curl_slist * a, const char *b), (a, b))                      \
  X(void, curl_slist_free_all, (struct curl_slist * a), (a))                                                     \
  X(CURLU *, curl_url, (void), ())                                                                               \
  X(CURLUcode, curl_url_get, (const CURLU *a, CURLUPart b, char **c, unsigned d), (a, b, c, d))                  \
  X(CURLUcode, curl_url_set, (CURLU * a, CURLUPart b, const char *c, unsigned d), (a, b, c, d))                  \
  X(char *, curl_version, (void), ())                                                                            \
  X(curl_version_info_data *, curl_version_info, (CURLversion a), (a))

// These take one more argument: a long, a pointer, or a 64-bit integer, all of which 64-bit Linux passes alike.
#define VARIADIC_FUNCTIONS(X)                            \
  X(CURLcode, curl_easy_getinfo, CURL *, CURLINFO)       \
  X(CURLcode, curl_easy_setopt, CURL *, CURLoption)      \
  X(CURLMcode, curl_multi_setopt, CURLM *, CURLMoption)

static CURLcode (*real_curl_global_init)(long);
#define POINTER(result, name, parameters, arguments) static result(*real_##name) parameters;
FUNCTIONS(POINTER)
#define VARIADIC_POINTER(result, name, handle, option) static result (*real_##name)(handle, option, ...);
VARIADIC_FUNCTIONS(VARIADIC_POINTER)

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  int isComplete = 1;
#define FIND(result, name, ...) isComplete &= (real_##name = (__typeof__(real_##name))dlsym(library, #name)) != NULL;
  FUNCTIONS(FIND)
  VARIADIC_FUNCTIONS(FIND)
  if (isComplete) FIND(CURLcode, curl_global_init)
}

static int is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return real_curl_global_init != NULL;
}

static void require(void) {
  if (is_loaded()) return;
  fputs("libcurl cannot be loaded; install it (on Debian and Ubuntu: apt-get install libcurl4)\n", stderr);
  exit(2);
}

CURLcode curl_global_init(long flags) { return is_loaded() ? real_curl_global_init(flags) : CURLE_FAILED_INIT; }

#define DEFINE(result, name, parameters, arguments) \
  result name parameters {                          \
    require();                                      \
    return real_##name arguments;                   \
  }
FUNCTIONS(DEFINE)

#define DEFINE_VARIADIC(result, name, handle, option) \
  result name(handle object, option key, ...) {       \
    va_list list;                                     \
    va_start(list, key);                              \
    void *argument = va_arg(list, void *);            \
    va_end(list);                                     \
    require();                                        \
    return real_##name(object, key, argument);        \
  }
VARIADIC_FUNCTIONS(DEFINE_VARIADIC)
