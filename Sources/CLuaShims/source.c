// Compiling source, with a limit on its size, a clock in the reader, the cost of names, and the position of a syntax
// error; and the protected calls through which Swift enters.

#include "core.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK = 1024 }; // bytes that the parser gets between two checks of the clock

typedef struct text {
    lua_State *L;
    const char *bytes;
    size_t count;
    size_t at;
    size_t step;  // bytes per piece
    bool asked_past_end;
} text;

// Gives Lua's scanner its next piece (manual 4.6, lua_Reader).
static const char *read_text(lua_State *L, void *context, size_t *size) {
    (void)L;
    text *source = context;
    // The parser has no hook. An aborted run gets no more text, and the caller then finds it aborted.
    bool looks = source->at % LOOK == 0 || source->step >= LOOK;
    glua_state *g = glua_of(source->L);
    if (source->at >= source->count || (looks && glua_is_clock_due(g) && glua_over_time(g))) {
        source->asked_past_end = true;
        *size = 0;
        return NULL;
    }
    size_t left = source->count - source->at;
    *size = left < source->step ? left : source->step;
    const char *piece = source->bytes + source->at;
    source->at += *size;
    return piece;
}

// Compiles the text; leaves the function, or the message, on the stack and returns Lua's status. Raises limits.
int glua_load_text(lua_State *L, const char *source, size_t count, const char *chunk) {
    glua_state *g = glua_of(L);
    if (count > g->limits.source) {
        lua_pushfstring(L, "the source has %I bytes, more than the limit of %I", (LUAI_UACINT)count,
                        (LUAI_UACINT)g->limits.source);
        g->failure.status = GLUA_SOURCE;
        return LUA_ERRSYNTAX;
    }
    glua_naming naming;
    glua_survey_names(source, count, &naming);
    if (naming.refused_names > 0) {
        g->failure.token_end = naming.refused_at;
        if (naming.refused_tokens == 0) {
            lua_pushfstring(L, "an expression has more than %d names", GLUA_MAX_NAME_CHAIN);
        } else {
            lua_pushfstring(L, "an expression has %d names, too many for a function of this length (%d tokens)",
                            (int)naming.refused_names, (int)naming.refused_tokens);
        }
        g->failure.status = GLUA_NAMES;
        return LUA_ERRSYNTAX;
    }
    if (naming.work > g->naming) g->naming = naming.work;
    glua_charge(L, count / 16);
    g->failure.status = GLUA_SYNTAX;
    text whole = {L, source, count, glua_first_token(source, count).at, LOOK, false};
    // Mode "t": bytecode can break the interpreter, and no version checks it.
    int status = lua_load(L, read_text, &whole, chunk, "t");
    if (g->aborted != GLUA_OK) glua_raise_abort(L);
    if (status == LUA_ERRMEM) {
        glua_abort(g, L, GLUA_MEMORY);
        glua_raise_abort(L);
    }
    return status;
}

// Loads again, byte by byte, to find the token that Lua rejected. The line feed at the end distinguishes an error at
// the last token from one at the end of the source.
static void locate_syntax_error(lua_State *L, const char *source, size_t count) {
    glua_state *g = glua_of(L);
    glua_failure *failure = &g->failure;
    failure->token_end = 0;
    failure->at_end_of_source = false;
    char *padded = lua_newuserdatauv(L, count + 1, 0); // owned by Lua, so that an error in between frees it
    memcpy(padded, source, count);
    padded[count] = '\n';
    text bytes = {L, padded, count + 1, glua_first_token(source, count).at, 1, false};
    int status = lua_load(L, read_text, &bytes, "=?", "t");
    lua_pop(L, 1);
    if (g->aborted != GLUA_OK) glua_raise_abort(L);
    if (status == LUA_OK) return;
    failure->token_end = bytes.at > 0 ? bytes.at - 1 : 0; // the scanner has read one byte past the token
    failure->at_end_of_source = bytes.asked_past_end;
}

// The line that Lua's scanner put in front of its message, after the name of the chunk, which the host chose.
static int32_t scanner_line(const char *message, const char *chunk, size_t *prefix) {
    const char *name = chunk + 1;
    size_t count = strlen(name);
    char short_name[LUA_IDSIZE];
    // As in lua_Debug.short_src: a name that is too long keeps its end (after '@') or its beginning (after '=').
    if (count < LUA_IDSIZE) {
        memcpy(short_name, name, count + 1);
    } else if (*chunk == '@') {
        memcpy(short_name, "...", 3);
        memcpy(short_name + 3, name + count - (LUA_IDSIZE - 4), LUA_IDSIZE - 3);
    } else {
        memcpy(short_name, name, LUA_IDSIZE - 1);
        short_name[LUA_IDSIZE - 1] = 0;
    }
    size_t length = strlen(short_name);
    *prefix = 0;
    if (strncmp(message, short_name, length) != 0 || message[length] != ':') return 0;
    char *end;
    long line = strtol(message + length + 1, &end, 10);
    if (line <= 0 || end[0] != ':' || end[1] != ' ') return 0;
    *prefix = (size_t)(end + 2 - message);
    return (int32_t)line;
}

typedef struct load_call {
    const char *source;
    size_t count;
    const char *chunk;
    uint32_t slot;
    uint64_t identity;
    bool located;
} load_call;

static int protected_load(lua_State *L) {
    load_call *call = lua_touserdata(L, 1);
    glua_state *g = glua_of(L);
    if (glua_load_text(L, call->source, call->count, call->chunk) == LUA_OK) {
        call->identity = (uint64_t)(uintptr_t)lua_topointer(L, -1);
        call->slot = glua_store(L);
        return 0;
    }
    glua_failure *failure = &g->failure;
    failure->frame_count = failure->skipped_frames = 0;
    failure->name[0] = failure->path[0] = 0;
    glua_copy(failure->position.chunk, sizeof failure->position.chunk, call->chunk + 1, strlen(call->chunk + 1));
    failure->position.line = 0;
    failure->position.approximate = false;
    failure->at_end_of_source = false;
    size_t count;
    const char *message = lua_tolstring(L, -1, &count);
    size_t prefix = 0;
    if (failure->status == GLUA_SYNTAX) failure->position.line = scanner_line(message, call->chunk, &prefix);
    glua_set_message(g, message + prefix, count - prefix);
    int32_t status = failure->status;
    if (status == GLUA_SYNTAX) locate_syntax_error(L, call->source, call->count);
    failure->status = status;
    call->located = true;
    lua_pushlightuserdata(L, g);
    return lua_error(L);
}

// Entry points

// The outcome of a protected call, as a status. It is called outside the protected call and never raises: lua_settop
// has no variables to close.
static int32_t finish(glua_state *g, lua_State *L, int top, int status) {
    lua_settop(L, top);
    if (status == LUA_OK && g->aborted == GLUA_OK) return GLUA_OK;
    glua_drop_fresh(g);
    if (g->aborted == GLUA_OK && status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) {
        g->failure.status = g->aborted;
        glua_set_message(g, "", 0);
        return g->aborted;
    }
    if (status == LUA_ERRERR) { // the handler itself failed, as it does if the C stack is full
        g->failure.status = GLUA_RUNTIME;
        g->failure.position = g->last;
        g->failure.position.approximate = true;
        glua_set_message(g, "error in error handling", 23);
    }
    return g->failure.status;
}

// Reserves room for the handler, the body and its argument first: a push without room is undefined (manual 4.1.1).
int32_t glua_protect(glua_state *g, lua_CFunction body, void *context) {
    glua_begin(g, NULL);
    lua_State *L = g->L;
    int top = lua_gettop(L);
    int32_t result;
    if (g->aborted != GLUA_OK) {
        result = g->aborted;
    } else if (!lua_checkstack(L, 8)) {
        glua_abort(g, L, GLUA_MEMORY);
        result = GLUA_MEMORY;
    } else {
        g->fresh_count = 0;
        lua_pushcfunction(L, glua_message_handler);
        lua_pushcfunction(L, body);
        lua_pushlightuserdata(L, context);
        result = finish(g, L, top, lua_pcall(L, 1, 0, top + 1));
    }
    glua_end(g);
    g->fresh_count = 0;
    return result;
}

// Does not use glua_protect: protected_load describes its failure itself, and the handler must not overwrite it.
int32_t glua_load(glua_state *g, const char *source, size_t count, const char *chunk, uint32_t *slot,
                  uint64_t *identity) {
    load_call call = {source, count, chunk, 0, 0, false};
    glua_begin(g, NULL);
    lua_State *L = g->L;
    int top = lua_gettop(L);
    int32_t result;
    if (g->aborted != GLUA_OK) {
        result = g->aborted;
    } else if (!lua_checkstack(L, 8)) {
        glua_abort(g, L, GLUA_MEMORY);
        result = GLUA_MEMORY;
    } else {
        g->fresh_count = 0;
        lua_pushcfunction(L, protected_load);
        lua_pushlightuserdata(L, &call);
        int status = lua_pcall(L, 1, 0, 0);
        if (status != LUA_OK && status != LUA_ERRMEM && g->aborted == GLUA_OK && !call.located) {
            size_t length = 0;
            // The error here is a string or cannot be converted to one. It is never a number, whose text would need Lua
            // memory.
            const char *message = lua_tolstring(L, -1, &length);
            g->failure.status = GLUA_RUNTIME;
            g->failure.position.line = 0;
            glua_set_message(g, message != NULL ? message : "", length);
        }
        result = finish(g, L, top, status);
    }
    glua_end(g);
    g->fresh_count = 0;
    *slot = call.slot;
    *identity = call.identity;
    return result;
}

static int protected_call(lua_State *L) {
    uint32_t slot = *(uint32_t *)lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    lua_rawgeti(L, -1, slot);
    lua_replace(L, 1);
    lua_settop(L, 1);
    glua_push_tape(L);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    glua_check_flatten(L, glua_flatten(L, 1, lua_gettop(L)), "result");
    return 0;
}

static int protected_flatten(lua_State *L) {
    glua_check_flatten(L, glua_flatten(L, 1, lua_gettop(L)), "result");
    return 0;
}

// Flattens the results, in a protected call only if that may raise.
static int flatten_results(lua_State *L, int first, int handler) {
    int last = lua_gettop(L);
    bool scalars = true;
    for (int index = first; index <= last && scalars; index++) {
        int type = lua_type(L, index);
        scalars = type <= LUA_TSTRING && type != LUA_TLIGHTUSERDATA;
    }
    // Flattening scalars never raises; a rejection is raised where that is safe.
    if (scalars && glua_flatten(L, first, last) == GLUA_OK) return LUA_OK;
    if (!lua_checkstack(L, 4)) return LUA_ERRMEM;
    lua_pushcfunction(L, protected_flatten);
    lua_insert(L, first);
    return lua_pcall(L, last - first + 1, 0, handler);
}

// A call whose arguments need no Lua memory goes straight to lua_pcall: the protected function in between, and its
// frame, are half the cost of a short call. If such a call comes from Swift alone, with no Lua below it, the handler
// and the slots are already on the stack (`has_base`).
int32_t glua_call(glua_state *g, uint32_t slot) {
    lua_State *L = g->L;
    uint32_t count = g->tape.values;
    if (count > GLUA_MOST_PLAIN || !glua_is_plain(&g->tape)) return glua_protect(g, protected_call, &slot);
    glua_begin(g, NULL);
    g->fresh_count = 0;
    int32_t result;
    if (g->has_base && g->depth == 0 && L == g->main && g->aborted == GLUA_OK) {
        // The base has had its room on the stack since glua_install, and nothing else is above it.
        lua_rawgeti(L, 2, slot);
        glua_push_plain(L);
        int status = lua_pcall(L, (int)count, LUA_MULTRET, 1);
        if (status == LUA_OK && g->aborted == GLUA_OK) {
            if (glua_flatten_plain(g, L, 3, lua_gettop(L))) {
                lua_settop(L, 2);
                glua_end(g);
                return GLUA_OK;
            }
            status = flatten_results(L, 3, 1);
        }
        result = finish(g, L, 2, status);
    } else if (g->aborted != GLUA_OK) {
        result = g->aborted;
    } else if (!lua_checkstack(L, GLUA_MOST_PLAIN + 8)) {
        glua_abort(g, L, GLUA_MEMORY);
        result = finish(g, L, lua_gettop(L), LUA_ERRMEM);
    } else {
        int top = lua_gettop(L);
        lua_pushcfunction(L, glua_message_handler);
        lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
        lua_rawgeti(L, -1, slot);
        lua_replace(L, -2);
        glua_push_plain(L);
        int status = lua_pcall(L, (int)count, LUA_MULTRET, top + 1);
        if (status == LUA_OK && g->aborted == GLUA_OK) status = flatten_results(L, top + 2, top + 1);
        result = finish(g, L, top, status);
    }
    glua_end(g);
    g->fresh_count = 0;
    return result;
}

typedef struct global_call {
    const char *name;
    size_t count;
} global_call;

static int protected_set_global(lua_State *L) {
    global_call *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushlstring(L, call->name, call->count);
    glua_push_tape(L);
    lua_settop(L, 4);
    lua_rawset(L, 2);
    return 0;
}

static int protected_get_global(lua_State *L) {
    global_call *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushlstring(L, call->name, call->count);
    lua_rawget(L, 2);
    glua_check_flatten(L, glua_flatten(L, 3, 3), "");
    return 0;
}

int32_t glua_set_global(glua_state *g, const char *name, size_t count) {
    global_call call = {name, count};
    return glua_protect(g, protected_set_global, &call);
}

int32_t glua_get_global(glua_state *g, const char *name, size_t count) {
    global_call call = {name, count};
    return glua_protect(g, protected_get_global, &call);
}

static int protected_install(lua_State *L) {
    for (int key = 3; key <= GLUA_REG_HANDLE; key++) {
        lua_newtable(L);
        if (key == 3) {
            lua_pop(L, 1);
            lua_pushinteger(L, 0);
        } else if (key == GLUA_REG_NOTE) {
            lua_pop(L, 1);
            lua_pushboolean(L, 0);
        }
        lua_rawseti(L, LUA_REGISTRYINDEX, key);
    }
    glua_install_host(L);
    glua_install_profile(L);
    return 0;
}

int32_t glua_install(glua_state *g) {
    int32_t status = glua_protect(g, protected_install, NULL);
    if (status == GLUA_OK && lua_checkstack(g->main, GLUA_MOST_PLAIN + 8)) {
        lua_pushcfunction(g->main, glua_message_handler);
        lua_rawgeti(g->main, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
        g->has_base = true;
    }
    return status;
}
