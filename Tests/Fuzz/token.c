// Compares the tokenizer with Lua's own: the tokens of a text that the system's parser accepts, written out one by one,
// compile to the same bytecode with the same lines.

#include "CLuaTokens.h"

#include <lauxlib.h>
#include <lua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t count, capacity;
} text;

static void append(text *to, const void *bytes, size_t count) {
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->bytes = realloc(to->bytes, to->capacity);
        if (to->bytes == NULL) abort();
    }
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
}

static int write_piece(lua_State *L, const void *piece, size_t count, void *context) {
    (void)L;
    append(context, piece, count);
    return 0;
}

static bool compile(lua_State *L, const char *source, size_t count, text *code) {
    code->count = 0;
    lua_settop(L, 0);
    if (luaL_loadbufferx(L, source, count, "=chunk", "t") != LUA_OK) return false;
    return lua_dump(L, write_piece, code, 0) == 0;
}

static void rewrite(const char *source, size_t count, text *to) {
    to->count = 0;
    size_t line = 1;
    glua_cursor cursor = glua_first_token(source, count);
    for (;;) {
        glua_token token = glua_next_token(source, count, &cursor);
        if (token.kind == GLUA_TOKEN_END) return;
        for (; line < token.end_line; line++) append(to, "\n", 1);
        append(to, " ", 1);
        if (token.kind != GLUA_TOKEN_STRING) {
            append(to, source + token.start, token.end - token.start);
            continue;
        }
        uint8_t *value = malloc(token.end - token.start);
        if (value == NULL) abort();
        size_t length = glua_token_value(source, &token, value);
        append(to, "\"", 1);
        for (size_t at = 0; at < length; at++) {
            char escape[5];
            snprintf(escape, sizeof escape, "\\%03d", value[at]);
            append(to, escape, 4);
        }
        append(to, "\"", 1);
        free(value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    static lua_State *L;
    static text expected, again, code;
    if (L == NULL) L = luaL_newstate();
    if (L == NULL) abort();
    const char *source = (const char *)data;
    if (!compile(L, source, count, &expected)) return 0;
    rewrite(source, count, &again);
    if (!compile(L, again.bytes == NULL ? "" : again.bytes, again.count, &code) || code.count != expected.count ||
        memcmp(code.bytes, expected.bytes, code.count) != 0) {
        fprintf(stderr, "split otherwise than Lua does; written again:\n%.*s\n", (int)again.count, again.bytes);
        abort();
    }
    return 0;
}
