// Compares the pattern functions with the system's: same results, same errors.
#include "core.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_output(void *context, const char *bytes, size_t count) { (void)context, (void)bytes, (void)count; }

static void no_release(void *context, void *object) { (void)context, (void)object; }

static int32_t no_call(void *context, void *function, void *object, glua_position *position) {
    (void)context, (void)function, (void)object, (void)position;
    return GLUA_RUNTIME;
}

static glua_state *g;
static lua_State *plain;
static const char *names[] = {"find", "match", "gsub", "gmatch"};

// Leaves one string on the stack that describes everything the function did.
static void run(lua_State *L, int kind, const char *s, size_t count, const char *p, size_t pattern_count, int init,
                lua_CFunction function) {
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 400)) abort();
    if (function != NULL) {
        lua_pushcfunction(L, function);
    } else {
        lua_getglobal(L, "string");
        lua_getfield(L, -1, names[kind]);
        lua_remove(L, -2);
    }
    lua_pushlstring(L, s, count);
    lua_pushlstring(L, p, pattern_count);
    if (kind == 2) lua_pushstring(L, "<%0%1>");
    else lua_pushinteger(L, init);
    int status = lua_pcall(L, 3, LUA_MULTRET, 0);
    if (status == LUA_OK && kind == 3) {
        // Run the iterator to its end; collect everything.
        lua_settop(L, top + 1);
        lua_newtable(L);
        for (int step = 1; step < 200; step++) {
            lua_pushvalue(L, top + 1);
            status = lua_pcall(L, 0, 1, 0);
            if (status != LUA_OK || lua_isnil(L, -1)) break;
            lua_rawseti(L, top + 2, step);
        }
        if (status == LUA_OK) {
            lua_pop(L, 1);
            int results = (int)lua_rawlen(L, top + 2);
            for (int step = 1; step <= results && step < 100; step++) lua_rawgeti(L, top + 2, step);
            lua_remove(L, top + 2);
            lua_remove(L, top + 1);
        } else {
            lua_replace(L, top + 1);
            lua_settop(L, top + 1);
        }
    }
    luaL_Buffer buffer;
    int last = lua_gettop(L);
    lua_pushfstring(L, "%d:", status);
    for (int index = top + 1; index <= last; index++) {
        luaL_tolstring(L, index, NULL);
        lua_pushfstring(L, "|%s|", luaL_typename(L, index));
        lua_concat(L, 3);
    }
    (void)buffer;
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    if (plain == NULL) plain = luaL_newstate(), luaL_openlibs(plain);
    if (g == NULL) {
        static const glua_limits limits = {.cpu_ns = 1000000000000, .instructions = 10000, .memory = 1 << 26,
                                           .source = 1 << 16, .output = 1 << 16, .tape_depth = 64,
                                           .tape_nodes = 100000, .tape_bytes = 1 << 20};
        glua_host host = {.call = no_call, .output = no_output, .warn = no_output, .release = no_release};
        g = glua_open(&host, GLUA_PROFILE_SCRIPT, &limits);
        if (g == NULL || glua_install(g) != GLUA_OK) abort();
    }
    int kind = data[0] & 3;
    int init = (int)(int8_t)data[1] % 6;
    size_t pattern_count = data[2] % 24;
    data += 3, size -= 3;
    if (pattern_count > size) pattern_count = size;
    const char *pattern = (const char *)data;
    const char *subject = pattern + pattern_count;
    size_t count = size - pattern_count > 48 ? 48 : size - pattern_count;
    static const lua_CFunction own[] = {glua_pattern_find, glua_pattern_match, glua_pattern_gsub, glua_pattern_gmatch};

    // Ours first: a pattern that exceeds its limit would take the system's forever.
    glua_begin(g, NULL);
    lua_settop(g->main, 2);
    run(g->main, kind, subject, count, pattern, pattern_count, init, own[kind]);
    int32_t limit = glua_end(g);
    if (limit == GLUA_OK) {
        lua_settop(plain, 0);
        run(plain, kind, subject, count, pattern, pattern_count, init, NULL);
        size_t left_count, right_count;
        const char *left = lua_tolstring(g->main, -1, &left_count);
        const char *right = lua_tolstring(plain, -1, &right_count);
        if (left_count != right_count || memcmp(left, right, left_count) != 0) {
            fprintf(stderr, "%s\n ours:   %s\n system: %s\n", names[kind], left, right);
            abort();
        }
    }
    lua_settop(g->main, 2);
    lua_settop(plain, 0);
    return 0;
}
