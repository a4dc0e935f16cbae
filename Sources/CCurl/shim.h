#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// libcurl's type checks are macros around the functions below, which work only if the option is a constant.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift cannot call variadic functions, so there is one function for each type of value.

static inline CURLcode curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_callback(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// The number of bytes of the request's content that were sent.
static inline curl_off_t curl_sent_bytes(CURL *handle) {
    curl_off_t count = 0;
    curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &count);
    return count;
}

static inline int curl_add_received(CURL *handle, curl_infotype type, char *bytes, size_t count, void *sum) {
    if (type == CURLINFO_DATA_IN) *(long *)sum += (long)count;
    return 0;
}

/// Makes a handle count the bytes of content that arrive, before chunks and compression are decoded. Only the debug
/// callback receives these bytes.
static inline CURLcode curl_count_received(CURL *handle, long *sum) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, curl_add_received);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, sum);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L) : code;
}

/// Limits the protocols of a handle. The option that takes their names is new in version 7.85, which deprecates the
/// older one that takes bits.
static inline CURLcode curl_set_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

#endif
