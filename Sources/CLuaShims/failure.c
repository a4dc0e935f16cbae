// Failures as data: the position, the message and the call stack. Nothing here calls into Lua code or trusts a text
// that a script could have written.

#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void glua_copy(char *to, size_t size, const char *from, size_t count) {
    if (count >= size) count = size - 1;
    memcpy(to, from, count);
    to[count] = 0;
}

bool glua_set_message(glua_state *g, const char *text, size_t count) {
    // A program can raise a string of megabytes, which is too long to read and which the host keeps.
    if (count > 64 * 1024) count = 64 * 1024;
    if (count + 1 > g->message_capacity) {
        char *grown = glua_reallocate(g->host.fault, g->message, count + 1);
        if (grown == NULL) {
            g->failure.message = "out of memory";
            g->failure.message_count = strlen(g->failure.message);
            return false;
        }
        g->message = grown;
        g->message_capacity = count + 1;
    }
    memcpy(g->message, text, count);
    g->message[count] = 0;
    g->failure.message = g->message;
    g->failure.message_count = count;
    return true;
}

// Chunks are named "@file" or "=name" by this library; the first character is not part of the name (manual 4.7,
// lua_Debug).
static void copy_chunk(char *to, const lua_Debug *ar) {
    const char *chunk = ar->source;
    if (*chunk == '@' || *chunk == '=') chunk++;
    glua_copy(to, GLUA_CHUNK_SIZE, chunk, strlen(chunk));
}

// Finds the innermost Lua function. `ar` keeps the result of lua_getinfo.
//
// lua_getinfo may raise a memory error (manual 4.7, "m"), but only for 'f' and 'L', which push something. This file
// uses neither, so that a position can be found outside a protected call, too.
static bool find_lua_function(lua_State *L, lua_Debug *ar) {
    for (int level = 0; lua_getstack(L, level, ar); level++) {
        if (lua_getinfo(L, "Sl", ar) && ar->currentline > 0) return true;
    }
    return false;
}

bool glua_find_position(lua_State *L, glua_position *position) {
    lua_Debug ar;
    if (!find_lua_function(L, &ar)) return false;
    copy_chunk(position->chunk, &ar);
    position->line = ar.currentline;
    position->approximate = false;
    return true;
}

static void fill_frame(lua_State *L, lua_Debug *ar, bool named, glua_frame *frame) {
    ar->name = NULL;
    lua_getinfo(L, named ? "nSlt" : "Slt", ar);
    bool native = ar->what[0] == 'C';
    frame->kind = native             ? GLUA_FRAME_NATIVE
                  : ar->istailcall   ? GLUA_FRAME_TAIL_CALL
                  : *ar->what == 'm' ? GLUA_FRAME_MAIN
                                     : GLUA_FRAME_LUA;
    frame->line = ar->currentline > 0 ? ar->currentline : 0;
    if (native) {
        frame->chunk[0] = 0;
    } else {
        copy_chunk(frame->chunk, ar);
    }
    const char *name = ar->name != NULL ? ar->name : "";
    glua_copy(frame->name, sizeof frame->name, name, strlen(name));
}

// Records the first frames and the last ones, and counts those between them. Runs while the stack still exists, in a
// message handler or where a limit is detected, so it neither allocates nor raises.
void glua_record_frames(glua_state *g, lua_State *L) {
    lua_Debug ar;
    int count = 0;
    // Binary search for the number of frames: a runaway recursion has 200,000, and lua_getstack walks them.
    int low = 1, high = 1;
    while (lua_getstack(L, high, &ar)) {
        low = high;
        high *= 2;
    }
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (lua_getstack(L, middle, &ar)) low = middle + 1;
        else high = middle;
    }
    count = lua_getstack(L, 0, &ar) ? high : 0;

    uint32_t used = 0;
    uint32_t skipped = 0;
    // Lua searches the code of the caller for a name, which can take long, so only the first of many such frames get
    // one.
    size_t most = g->naming == 0 ? SIZE_MAX : GLUA_MAX_FRAME_NAMING / g->naming;
    size_t named = 0;
    // Frames of the handler itself and of the C functions between Swift and Lua do not belong to the script.
    for (int level = 0; level < count; level++) {
        if (level == GLUA_FRAMES_HEAD && count > GLUA_FRAMES_HEAD + GLUA_FRAMES_TAIL) {
            skipped = (uint32_t)(count - GLUA_FRAMES_HEAD - GLUA_FRAMES_TAIL);
            level = count - GLUA_FRAMES_TAIL;
        }
        if (!lua_getstack(L, level, &ar)) break;
        fill_frame(L, &ar, named++ < most, &g->failure.frames[used]);
        glua_frame *frame = &g->failure.frames[used];
        if (frame->kind == GLUA_FRAME_NATIVE && frame->name[0] == 0) continue;
        used++;
    }
    g->failure.frame_count = used;
    g->failure.skipped_frames = skipped;
    g->work += (named < most ? named : most) * (g->naming / 16); // checked when the error is caught
}

// Removes "chunk:line: " from the message if it is exactly the position that is known anyway.
static void strip_position(const char **text, size_t *count, const char *short_source, int line) {
    char prefix[LUA_IDSIZE + 32];
    int length = snprintf(prefix, sizeof prefix, "%s:%d: ", short_source, line);
    if (length <= 0 || (size_t)length >= sizeof prefix || (size_t)length > *count) return;
    if (memcmp(prefix, *text, (size_t)length) != 0) return;
    *text += length;
    *count -= (size_t)length;
}

static void strip_noted_position(const char **text, size_t *count, const glua_position *position) {
    char prefix[GLUA_CHUNK_SIZE + 32];
    int length = snprintf(prefix, sizeof prefix, "%s:%d: ", position->chunk, position->line);
    if (length <= 0 || (size_t)length >= sizeof prefix || (size_t)length > *count) return;
    if (memcmp(prefix, *text, (size_t)length) != 0) return;
    *text += length;
    *count -= (size_t)length;
}

// Describes the error value at `index`, while the stack is still as it was when the error was raised.
static void describe(lua_State *L, int index) {
    glua_state *g = glua_of(L);
    glua_failure *failure = &g->failure;
    failure->status = GLUA_RUNTIME;
    failure->position.line = 0;
    failure->position.approximate = false;
    failure->name[0] = 0;
    failure->path[0] = 0;

    char number[64];
    size_t count = 0;
    const char *text = NULL;
    bool noted = false;
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &count);
        noted = g->note.text == text;
        break;
    case LUA_TNUMBER:
        // Not lua_tolstring, which would change the value and allocate.
        if (lua_isinteger(L, index)) snprintf(number, sizeof number, LUA_INTEGER_FMT, lua_tointeger(L, index));
        else snprintf(number, sizeof number, LUA_NUMBER_FMT, lua_tonumber(L, index));
        text = number;
        count = strlen(number);
        break;
    default:
        snprintf(number, sizeof number, "error value is %s%s", lua_isnil(L, index) ? "" : "a ", luaL_typename(L, index));
        text = number;
        count = strlen(number);
    }
    lua_Debug ar;
    if (find_lua_function(L, &ar)) {
        copy_chunk(failure->position.chunk, &ar);
        failure->position.line = ar.currentline;
    }
    if (noted) {
        failure->status = g->note.status;
        memcpy(failure->name, g->note.name, sizeof failure->name);
        memcpy(failure->path, g->note.path, sizeof failure->path);
        if (g->note.position.line > 0) failure->position = g->note.position;
        strip_noted_position(&text, &count, &failure->position);
    }
    if (failure->position.line > 0 && text != number && find_lua_function(L, &ar)) {
        strip_position(&text, &count, ar.short_src, ar.currentline);
    }
    glua_set_message(g, text, count);
    glua_record_frames(g, L);
}

// The handler of every protected call into Lua. It runs while the call stack can still be read: "such information
// cannot be gathered after the return of lua_pcall, since by then the stack has unwound" (manual 4.6). It is in C,
// because after an error in a hook, Lua runs handlers without hooks.
int glua_message_handler(lua_State *L) {
    if (glua_of(L)->aborted == GLUA_OK) describe(L, 1); // a limit was recorded when it was exceeded
    return 1;
}

void glua_push_where(lua_State *L) {
    lua_Debug ar;
    if (find_lua_function(L, &ar)) lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    else lua_pushliteral(L, "");
}

glua_note *glua_annotate(lua_State *L, int32_t status) {
    glua_state *g = glua_of(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, GLUA_REG_NOTE); // the key exists, so this needs no memory
    memset(&g->note, 0, sizeof g->note);
    g->note.text = lua_tostring(L, -1);
    g->note.status = status;
    (void)glua_find_position(L, &g->note.position); // the script may catch the text and raise it again elsewhere
    return &g->note;
}

// Lua creates the message on its stack, so a memory error on the way leaks nothing.
static void push_message(lua_State *L, const char *format, va_list arguments) {
    glua_push_where(L);
    lua_pushvfstring(L, format, arguments);
    lua_concat(L, 2);
}

int glua_error(lua_State *L, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    push_message(L, format, arguments);
    va_end(arguments);
    return lua_error(L);
}

int glua_denied(lua_State *L, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    push_message(L, format, arguments);
    va_end(arguments);
    glua_note *note = glua_annotate(L, GLUA_DENIED);
    glua_copy(note->name, sizeof note->name, name, strlen(name));
    return lua_error(L);
}

const glua_failure *glua_get_failure(const glua_state *g) { return &g->failure; }

bool glua_get_caller(glua_state *g, glua_position *position) { return glua_find_position(g->L, position); }
