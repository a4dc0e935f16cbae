// The base functions that replace the system's: those that catch errors, show addresses, visit tables in an order that
// changes from run to run, compile, or set metatables.

#include "core.h"

#include <string.h>

// Catching errors. Sticky errors pass through: a limit, including one that the called function exceeded, and lack of
// memory, which a program could otherwise retry forever.

static void pass_limits(lua_State *L, int status) {
    glua_state *g = glua_of(L);
    if (status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) glua_raise_abort(L);
    glua_charge_error(L);
}

static int finish_call(lua_State *L, int status, lua_KContext skipped) {
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)skipped;
    pass_limits(L, status);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

// lua_pcallk and not lua_pcall, so that the function may yield (manual 4.5); finish_call then continues.
static int base_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return finish_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_call), 0);
}

// Upvalue: the script's handler. After a hook has raised, Lua runs handlers without hooks, so an aborted run must not
// reach it.
static int guarded_handler(lua_State *L) {
    if (glua_of(L)->aborted != GLUA_OK) return 1;
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int base_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2); // function, handler, true, function, arguments
    return finish_call(L, lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_call), 2);
}

static int base_error(lua_State *L) {
    int level = (int)luaL_optinteger(L, 2, 1);
    lua_settop(L, 1);
    if (lua_type(L, 1) != LUA_TSTRING || level <= 0) return lua_error(L);
    lua_Debug ar;
    bool known = lua_getstack(L, level, &ar) && lua_getinfo(L, "Sl", &ar) && ar.currentline > 0;
    if (!known) return lua_error(L);
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    lua_insert(L, 1);
    lua_concat(L, 2);
    if (level > 1) {
        // The script reports another line than the current one.
        glua_note *note = glua_annotate(L, GLUA_RUNTIME);
        const char *chunk = ar.source;
        if (*chunk == '@' || *chunk == '=') chunk++;
        glua_copy(note->position.chunk, sizeof note->position.chunk, chunk, strlen(chunk));
        note->position.line = ar.currentline;
    }
    return lua_error(L);
}

// Text

void glua_push_plain_text(lua_State *L, int index) {
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    case LUA_TNUMBER: luaL_tolstring(L, index, NULL); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TUSERDATA: {
        if (luaL_callmeta(L, index, "__tostring")) break;
        if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) {
            lua_pushfstring(L, "userdata %s", lua_tostring(L, -1));
            lua_remove(L, -2);
        } else {
            lua_pushliteral(L, "userdata");
        }
        break;
    }
    default: lua_pushstring(L, luaL_typename(L, index));
    }
}

static int plain_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    glua_push_plain_text(L, 1);
    return 1;
}

// The size of a character where it is shown: an invisible one is written as its code, `\u{1b}`. The host decides which
// characters are invisible (`Unicode.Scalar.needsEscape` of GlassBase); a test compares the two for every character.
static size_t written_length_of(uint32_t c, size_t bytes) {
    bool is_kept = c == '\n' || c == '\t';
    bool is_hidden = c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x180e || c == 0x200b
        || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff
        || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
    if (is_kept || !is_hidden) return bytes;
    if (c == '\r') return 2;
    size_t digits = 1;
    while (c >>= 4) digits++;
    return 4 + digits;
}

// The character at a position of UTF-8 text, and its number of bytes; 0 if the bytes do not encode a
// character (RFC 3629, 4).
static size_t read_character(const unsigned char *text, size_t length, uint32_t *c) {
    unsigned char first = text[0];
    size_t count = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (count == 0 || count > length) return 0;
    uint32_t value = count == 1 ? first : first & (0x7fu >> count);
    for (size_t at = 1; at < count; at++) {
        if ((text[at] & 0xc0) != 0x80) return 0;
        value = value << 6 | (text[at] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[count] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *c = value;
    return count;
}

// The size of a line where it is shown, with its line ending. A byte that is not part of a character is shown as
// U+FFFD. Several may share one, so this is not less than what is written.
static size_t written_length(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t written = 1;
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t count = read_character(bytes + at, length - at, &c);
        written += count > 0 ? written_length_of(c, count) : 3;
        at += count > 0 ? count : 1;
    }
    return written;
}

// Passes the string on top to the host, within the output limit.
static int deliver(lua_State *L, void (*to)(void *context, const char *bytes, size_t count)) {
    glua_state *g = glua_of(L);
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    glua_charge(L, 100 + length / 8);
    if (g->aborted != GLUA_OK) return glua_raise_abort(L); // an aborted run's `__close` calls without an instruction
    size_t written = written_length(text, length);
    if (written > g->limits.output || g->output > g->limits.output - written) {
        glua_abort(g, L, GLUA_OUTPUT);
        return glua_raise_abort(L);
    }
    g->output += written;
    lua_State *outer = g->L;
    g->L = L;
    g->depth++;
    to(g->host.context, text, length);
    g->depth--;
    g->L = outer;
    if (g->aborted != GLUA_OK) return glua_raise_abort(L);
    return 0;
}

static int base_print(lua_State *L) {
    glua_state *g = glua_of(L);
    int count = lua_gettop(L);
    luaL_Buffer buffer;
    // Converts the values first: there must be no other values above a buffer while a metamethod runs.
    for (int index = 1; index <= count; index++) {
        glua_charge(L, 2);
        if (g->profile == GLUA_PROFILE_CONFIG) glua_push_plain_text(L, index);
        else luaL_tolstring(L, index, NULL);
        lua_replace(L, index);
    }
    luaL_buffinit(L, &buffer);
    for (int index = 1; index <= count; index++) {
        if (index > 1) luaL_addchar(&buffer, '\t');
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        luaL_addlstring(&buffer, text, length);
    }
    luaL_pushresult(&buffer);
    return deliver(L, g->host.output);
}

// Like the warnings of the library: the texts are one message, and a single text that begins with '@' is not shown.
static int base_warn(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checkstring(L, 1);
    for (int index = 2; index <= count; index++) luaL_checkstring(L, index);
    if (count == 1 && *lua_tostring(L, 1) == '@') return 0;
    lua_concat(L, count);
    return deliver(L, glua_of(L)->host.warn);
}

// Visiting tables in order

static lua_Integer list_count(lua_State *L, int table) {
    lua_Integer count = 0;
    while (lua_rawgeti(L, table, count + 1) != LUA_TNIL) {
        lua_pop(L, 1);
        count++;
        glua_charge(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

static int no_order(lua_State *L, const char *type) {
    return glua_error(L, "a key of type '%s' has no order: use strings, numbers or booleans as keys", type);
}

// A position in the order of `pairs`: 1...n first, then all other keys as glua_compare_scalars orders them.
typedef struct key_order {
    lua_Integer count; // n
    glua_scalar after; // the key before the wanted one
    bool from_start;   // there is no such key: the first key that is not in 1...n is wanted
} key_order;

// Finds the least key after `after` that is not in 1...n, by examining every key; false if no such key exists. Raises for
// a key without an order.
static bool find_next_key(lua_State *L, int table, const key_order *order, glua_scalar *best) {
    bool found = false;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        glua_charge(L, 2);
        glua_scalar key;
        if (!glua_read_scalar(L, -1, &key)) return no_order(L, luaL_typename(L, -1));
        if (key.kind == GLUA_TAG_INTEGER && key.as.integer >= 1 && key.as.integer <= order->count) continue;
        if (!order->from_start && glua_compare_scalars(&key, &order->after) <= 0) continue;
        if (found && glua_compare_scalars(&key, best) >= 0) continue;
        *best = key; // the bytes of a string stay, because the table contains it
        found = true;
    }
    glua_charge_step(L);
    return found;
}

// `next` in order. It keeps nothing between two calls, so each call examines all keys: it needs no memory, and is
// correct even if the table changes meanwhile. A loop over a table uses `pairs`, which sorts once. Only code that calls
// `next` itself takes quadratic time, and each step is charged.
static int ordered_next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    key_order order = {list_count(L, 1), {0}, lua_isnil(L, 2)};
    lua_Integer place = order.from_start ? 0 : -1; // in the list; -1: elsewhere
    if (!order.from_start) {
        if (!glua_read_scalar(L, 2, &order.after)) return no_order(L, luaL_typename(L, 2));
        lua_Integer key = order.after.as.integer;
        if (order.after.kind == GLUA_TAG_INTEGER && key >= 1 && key <= order.count) place = key;
    }
    if (place >= 0 && place < order.count) {
        lua_pushinteger(L, place + 1);
        lua_rawgeti(L, 1, place + 1);
        return 2;
    }
    if (place >= 0) order.from_start = true; // the list ends here, and the others begin
    glua_scalar key;
    if (!find_next_key(L, 1, &order, &key)) {
        lua_pushnil(L);
        return 1;
    }
    glua_push_scalar(L, &key);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

// Upvalues: the number of visited keys, the length of the list, the other keys in order or nil, their number.
static int ordered_step(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE); // a script may call the iterator with anything
    lua_Integer visited = lua_tointeger(L, lua_upvalueindex(1));
    lua_Integer count = lua_tointeger(L, lua_upvalueindex(2));
    lua_Integer others = lua_tointeger(L, lua_upvalueindex(4));
    for (;;) {
        visited++;
        glua_charge(L, 1);
        if (visited > count + others) {
            lua_pushnil(L);
            return 1;
        }
        if (visited <= count) lua_pushinteger(L, visited);
        else lua_rawgeti(L, lua_upvalueindex(3), visited - count);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) break; // if it was removed meanwhile, continue
        lua_pop(L, 2);
    }
    lua_pushinteger(L, visited);
    lua_replace(L, lua_upvalueindex(1));
    return 2;
}

static int ordered_pairs(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    glua_state *g = glua_of(L);
    lua_Integer count = list_count(L, 1);
    size_t base = g->entry_count = 0;
    int32_t status = glua_gather(L, 1, count);
    size_t others = g->entry_count - base;
    g->entry_count = base;
    if (status == GLUA_KEY) return no_order(L, g->entries[base].key.as.bytes);
    if (status == GLUA_MEMORY) glua_abort(g, L, GLUA_MEMORY);
    if (status != GLUA_OK) return glua_raise_abort(L);
    glua_charge_step(L);
    lua_pushinteger(L, 0);
    lua_pushinteger(L, count);
    if (others > 0) {
        lua_createtable(L, (int)others, 0);
        // Strings are pushed again from the bytes of the keys, which the table on the stack keeps alive.
        for (size_t index = 0; index < others; index++) {
            glua_push_scalar(L, &glua_entry_at(g, base, index)->key);
            lua_rawseti(L, -2, (lua_Integer)index + 1);
        }
    } else {
        lua_pushnil(L);
    }
    lua_pushinteger(L, (lua_Integer)others);
    lua_pushcclosure(L, ordered_step, 4);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    glua_charge(L, others * 4);
    return 3;
}

// Script profile: like the system's, but charged, because one step may pass a million slots of a large table that was
// emptied, and library loops may take such steps without an instruction (`__index = next`).

static int counted_next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    bool found = lua_next(L, 1);
    glua_charge_step(L);
    if (found) return 2;
    luaL_pushfail(L);
    return 1;
}

// Continues after a `__pairs` that has yielded (manual 4.5).
static int finish_pairs(lua_State *L, int status, lua_KContext context) {
    (void)L, (void)status, (void)context;
    return 3;
}

static int counted_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") == LUA_TNIL) {
        lua_pushcfunction(L, counted_next);
        lua_pushvalue(L, 1);
        lua_pushnil(L);
    } else {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, finish_pairs);
    }
    return 3;
}

// load

static int base_load(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING) return glua_error(L, "load takes the source of a chunk as a string");
    const char *mode = luaL_optstring(L, 3, "t");
    size_t count;
    const char *source = lua_tolstring(L, 1, &count);
    if (strchr(mode, 't') == NULL || (count > 0 && source[0] == LUA_SIGNATURE[0])) {
        return glua_denied(L, "load", "load takes text only, not bytecode");
    }
    // The name must not look like one of the host's files.
    char name[GLUA_NAME_SIZE];
    const char *given = luaL_optstring(L, 2, "");
    if (*given == '@' || *given == '=') given++;
    glua_copy(name, sizeof name, given, strlen(given));
    for (char *c = name; *c != 0; c++) {
        if ((unsigned char)*c < ' ') *c = ' ';
    }
    if (name[0] != 0) lua_pushfstring(L, "=[load %s]", name);
    else lua_pushliteral(L, "=[load]");
    bool has_environment = lua_gettop(L) > 4;
    if (glua_load_text(L, source, count, lua_tostring(L, -1)) != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    if (has_environment) {
        // The first upvalue of a chunk is its environment (manual 4.6, lua_load).
        lua_pushvalue(L, 4);
        if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
    }
    return 1;
}

// Metatables of scripts

// The key of the original metatable, which the script passed, in its private copy.
static const char given_key = 0;

// Whether it has `__metatable`, like libraries of the profile and types of the host.
static bool is_protected(lua_State *L, int index) {
    if (luaL_getmetafield(L, index, "__metatable") == LUA_TNIL) return false;
    lua_pop(L, 1);
    return true;
}

// The table gets a private copy with the allowed metamethods, so that a metamethod that is added later has no effect.
static int script_setmetatable(lua_State *L) {
    static const char *const allowed[] = {
        "__index", "__newindex", "__call", "__tostring", "__name", "__pairs", "__close", "__eq", "__lt", "__le",
        "__len", "__unm", "__add", "__sub", "__mul", "__div", "__idiv", "__mod", "__pow", "__band", "__bor", "__bxor",
        "__bnot", "__shl", "__shr", NULL,
    };
    // __gc runs without hooks, __mode and __concat corrupt memory on known releases of Lua 5.4, and __metatable would
    // hide what setmetatable has to see.
    static const char *const refused[] = {"__gc", "__mode", "__concat", "__metatable", NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_type(L, 2) != LUA_TNIL) luaL_checktype(L, 2, LUA_TTABLE);
    if (is_protected(L, 1)) return glua_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_setmetatable(L, 1);
        return 1;
    }
    for (const char *const *name = refused; *name != NULL; name++) {
        lua_pushstring(L, *name);
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return glua_denied(L, *name, "the metamethod '%s' is not available in the script profile", *name);
        }
        lua_pop(L, 1);
    }
    lua_newtable(L);
    for (const char *const *name = allowed; *name != NULL; name++) {
        lua_pushstring(L, *name);
        lua_pushvalue(L, -1);
        int type = lua_rawget(L, 2);
        // Lua follows a `__call` that is a table to the `__call` of that table, without a count and with a growing
        // stack.
        if (type != LUA_TNIL && type != LUA_TFUNCTION && strcmp(*name, "__call") == 0) {
            return glua_error(L, "the metamethod '__call' must be a function, not a %s", lua_typename(L, type));
        }
        if (type != LUA_TNIL) lua_rawset(L, 3);
        else lua_pop(L, 2);
    }
    lua_pushvalue(L, 2);
    lua_rawsetp(L, 3, &given_key);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int script_getmetatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (!lua_getmetatable(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    // Returns the script's table, never the copy in effect; nil for the metatables of the host and of strings.
    lua_rawgetp(L, -1, &given_key);
    return 1;
}

void glua_install_base(lua_State *L) {
    static const char *const shared[] = {"assert", "ipairs", "select", "tonumber", "type", "_VERSION", NULL};
    static const char *const script_only[] = {"rawequal", "rawget", "rawlen", "rawset", "tostring", NULL};
    static const luaL_Reg own[] = {
        {"error", base_error}, {"pcall", base_pcall}, {"print", base_print}, {"xpcall", base_xpcall}, {NULL, NULL},
    };
    static const luaL_Reg config[] = {
        {"next", ordered_next}, {"pairs", ordered_pairs}, {"tostring", plain_tostring}, {NULL, NULL},
    };
    static const luaL_Reg script[] = {
        {"getmetatable", script_getmetatable}, {"load", base_load}, {"next", counted_next}, {"pairs", counted_pairs},
        {"setmetatable", script_setmetatable}, {NULL, NULL},
    };
    glua_state *g = glua_of(L);
    int environment = lua_gettop(L);
    // luaopen_base fills the table that is registered as the globals, which is the original one until the profile
    // replaces it.
    lua_pushcfunction(L, luaopen_base);
    lua_call(L, 0, 1);
    int from = lua_gettop(L);
    lua_pushvalue(L, environment);
    glua_copy_functions(L, from, shared);
    luaL_setfuncs(L, own, 0);
    if (g->profile == GLUA_PROFILE_SCRIPT) {
        glua_copy_functions(L, from, script_only);
        luaL_setfuncs(L, script, 0);
    } else {
        luaL_setfuncs(L, config, 0);
    }
    if (g->host.warn != NULL) {
        lua_pushcfunction(L, base_warn);
        lua_setfield(L, environment, "warn");
    }
    lua_settop(L, environment);
}
