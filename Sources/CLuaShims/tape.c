// The tape: values as bytes. Flattening uses raw reads, so no metamethod runs, and returns a status instead of raising,
// except if Lua itself is out of memory: a reference takes a slot in a Lua table, so everything except scalars is
// flattened in a protected call. Pushing raises if there is not enough memory, so it runs in a protected call, too,
// except for values that need none.

#include "core.h"

#include <stdio.h>
#include <string.h>

glua_tape *glua_get_tape(glua_state *g) { return &g->tape; }

bool glua_tape_reserve(glua_tape *tape, size_t count) {
    if (tape->capacity - tape->count >= count) return true;
    size_t capacity = tape->capacity * 2 > tape->count + count ? tape->capacity * 2 : tape->count + count;
    if (capacity < 256) capacity = 256;
    uint8_t *grown = glua_reallocate(tape->fault, tape->bytes, capacity);
    if (grown == NULL) return false;
    tape->bytes = grown;
    tape->capacity = capacity;
    return true;
}

static inline void put(glua_tape *tape, const void *bytes, size_t count) {
    memcpy(tape->bytes + tape->count, bytes, count);
    tape->count += count;
}

static inline void put_tag(glua_tape *tape, uint8_t tag) { tape->bytes[tape->count++] = tag; }

// Flattening

static void write_path(glua_state *g, uint32_t depth, const char *key_type) {
    char *out = g->failure.path;
    size_t size = sizeof g->failure.path;
    size_t used = 0;
    out[0] = 0;
    for (uint32_t level = 0; level < depth && used + 1 < size; level++) {
        const glua_scalar *key = &g->path[level];
        int length = 0;
        switch (key->kind) {
        case GLUA_TAG_INTEGER: length = snprintf(out + used, size - used, "[%lld]", (long long)key->as.integer); break;
        case GLUA_TAG_NUMBER: length = snprintf(out + used, size - used, "[%.14g]", key->as.number); break;
        case GLUA_TAG_TRUE: length = snprintf(out + used, size - used, "[true]"); break;
        case GLUA_TAG_FALSE: length = snprintf(out + used, size - used, "[false]"); break;
        default: {
            int shown = key->count > 80 ? 80 : (int)key->count;
            length = snprintf(out + used, size - used, "%s%.*s", used > 0 ? "." : "", shown, key->as.bytes);
        }
        }
        if (length < 0) break;
        used += (size_t)length;
    }
    if (key_type != NULL && used + 1 < size) snprintf(out + used, size - used, "[%s]", key_type);
}

static int32_t fail(glua_state *g, int32_t status, uint32_t depth) {
    write_path(g, depth, NULL);
    return status;
}

static int32_t flatten_table(lua_State *L, glua_state *g, int table, uint32_t depth);

static int32_t flatten_scalar(glua_state *g, const glua_scalar *scalar, uint32_t depth) {
    glua_tape *tape = &g->tape;
    size_t count = scalar->kind == GLUA_TAG_STRING ? scalar->count : 0;
    bool fits = ++g->nodes <= g->limits.tape_nodes && tape->count <= g->limits.tape_bytes &&
                count <= g->limits.tape_bytes - tape->count;
    if (!fits) return fail(g, GLUA_LARGE, depth);
    if (tape->capacity - tape->count < count + 16 && !glua_tape_reserve(tape, count + 16)) return GLUA_MEMORY;
    uint8_t *at = tape->bytes + tape->count;
    at[0] = (uint8_t)scalar->kind;
    switch (scalar->kind) {
    case GLUA_TAG_INTEGER:
    case GLUA_TAG_NUMBER:
        memcpy(at + 1, &scalar->as, 8);
        tape->count += 9;
        break;
    case GLUA_TAG_STRING: {
        uint32_t length = (uint32_t)count;
        memcpy(at + 1, &length, 4);
        memcpy(at + 5, scalar->as.bytes, count);
        tape->count += 5 + count;
        break;
    }
    default: tape->count++;
    }
    return GLUA_OK;
}

static int32_t flatten_reference(lua_State *L, glua_state *g, int index, uint8_t tag, uint32_t depth) {
    if (++g->nodes > g->limits.tape_nodes) return fail(g, GLUA_LARGE, depth);
    uint64_t identity = (uint64_t)(uintptr_t)lua_topointer(L, index);
    uint64_t object = 0;
    if (tag == GLUA_TAG_OBJECT) object = (uint64_t)(uintptr_t)glua_to_object(L, index)->handle->object;
    lua_pushvalue(L, index);
    uint32_t slot = glua_store(L);
    if (!glua_tape_reserve(&g->tape, 24)) return GLUA_MEMORY;
    put_tag(&g->tape, tag);
    put(&g->tape, &slot, 4);
    put(&g->tape, &identity, 8);
    if (tag == GLUA_TAG_OBJECT) put(&g->tape, &object, 8);
    return GLUA_OK;
}

static int32_t flatten_value(lua_State *L, glua_state *g, int index, uint32_t depth) {
    glua_scalar scalar;
    if (glua_read_scalar(L, index, &scalar)) return flatten_scalar(g, &scalar, depth);
    switch (lua_type(L, index)) {
    case LUA_TTABLE: return flatten_table(L, g, index, depth);
    case LUA_TFUNCTION: return flatten_reference(L, g, index, GLUA_TAG_FUNCTION, depth);
    case LUA_TUSERDATA:
        if (glua_to_object(L, index) != NULL) return flatten_reference(L, g, index, GLUA_TAG_OBJECT, depth);
        break;
    case LUA_TTHREAD: return flatten_reference(L, g, index, GLUA_TAG_THREAD, depth);
    default: break;
    }
    scalar.kind = GLUA_TAG_OPAQUE;
    return flatten_scalar(g, &scalar, depth);
}

// A table that is being written: its position on the stack and on the tape, and the counts before it.
typedef struct table_walk {
    int table;
    uint32_t depth;
    size_t header;           // on the tape: the tag and the two counts, which are known at the end
    size_t base;             // in the arena: its entries begin here
    size_t fresh;            // slots taken before it
    uint32_t nodes;          // written up to and including it
    lua_Integer list_count;  // elements that are on the tape
    size_t key_bytes;        // of the entries
    bool is_split;           // element list_count + 1 was among the entries
} table_walk;

// Writes the value at `index`, the top of the stack, as the next element, and pops it.
static int32_t flatten_element(lua_State *L, glua_state *g, table_walk *walk, int index) {
    walk->list_count++;
    glua_scalar *step = &g->path[walk->depth];
    step->kind = GLUA_TAG_INTEGER; // set for each element, because the one before may have been a table
    step->as.integer = walk->list_count;
    int32_t status = flatten_value(L, g, index, walk->depth + 1);
    if (status == GLUA_OK) lua_settop(L, index - 1);
    return status;
}

// Gathers the key and the value on top of the stack for later, and pops the value. Too much data is rejected here,
// before it is kept and sorted.
static int32_t gather_field(lua_State *L, glua_state *g, table_walk *walk) {
    int32_t status = glua_gather_entry(L, g, walk->base);
    if (status == GLUA_KEY) write_path(g, walk->depth, g->entries[walk->base].key.as.bytes);
    if (status != GLUA_OK) return status;
    const glua_scalar *key = &g->entries[g->entry_count - 1].key;
    walk->key_bytes += key->kind == GLUA_TAG_STRING ? key->count : 0;
    bool fits = g->nodes + g->entry_count <= g->limits.tape_nodes && walk->key_bytes <= g->limits.tape_bytes;
    return fits ? GLUA_OK : fail(g, GLUA_LARGE, walk->depth);
}

// Walks the table once. The elements 1...n go to the tape as long as they come first and in order, as they do if Lua
// keeps them as an array; everything else is gathered.
static int32_t walk_once(lua_State *L, glua_state *g, table_walk *walk) {
    bool in_list = true;
    int key = lua_gettop(L) + 1;
    lua_pushnil(L);
    // lua_next raises only for a key that is not in the table (manual 4.6), and no key changes meanwhile, because no
    // Lua code runs.
    while (lua_next(L, walk->table)) {
        if (lua_isinteger(L, -2)) {
            bool is_next = lua_tointegerx(L, -2, NULL) == walk->list_count + 1;
            if (in_list && is_next) {
                int32_t status = flatten_element(L, g, walk, key + 1);
                if (status != GLUA_OK) return status;
                continue;
            }
            walk->is_split |= is_next;
        }
        in_list = false;
        int32_t status = gather_field(L, g, walk);
        if (status != GLUA_OK) return status;
    }
    // One step of lua_next may have passed a million slots of a table that was emptied.
    return g->large && glua_is_clock_due(g) && glua_over_time(g) ? g->aborted : GLUA_OK;
}

// More of the list is among the other keys: starts again, element by element, up to the first hole. The output of the
// first walk is undone, with the slots of its references and its counts, so that the table counts once.
static int32_t walk_split_list(lua_State *L, glua_state *g, table_walk *walk) {
    glua_forget_fresh(L, g, walk->fresh);
    g->tape.count = walk->header + 9;
    g->nodes = walk->nodes;
    g->entry_count = walk->base;
    walk->list_count = 0;
    int element = lua_gettop(L) + 1;
    while (lua_rawgeti(L, walk->table, walk->list_count + 1) != LUA_TNIL) {
        int32_t status = flatten_element(L, g, walk, element);
        if (status != GLUA_OK) return status;
    }
    lua_pop(L, 1);
    return glua_gather(L, walk->table, walk->list_count);
}

// Writes the gathered entries in their order. Values that are not scalars were not kept: they are fetched by their
// keys.
static int32_t flatten_entries(lua_State *L, glua_state *g, const table_walk *walk, size_t count) {
    for (size_t index = 0; index < count; index++) {
        // Copied, because a table among the values gathers entries of its own, and the arena may move.
        glua_entry entry = *glua_entry_at(g, walk->base, index);
        g->path[walk->depth] = entry.key;
        int32_t status = flatten_scalar(g, &entry.key, walk->depth + 1);
        if (status != GLUA_OK) return status;
        if (entry.value.kind != GLUA_TAG_OPAQUE) {
            status = flatten_scalar(g, &entry.value, walk->depth + 1);
        } else {
            glua_push_scalar(L, &entry.key);
            lua_rawget(L, walk->table);
            status = flatten_value(L, g, lua_gettop(L), walk->depth + 1);
            lua_pop(L, 1);
        }
        if (status != GLUA_OK) return status;
    }
    return GLUA_OK;
}

// Writes a table: its tag, the numbers of elements and fields, the elements, and the fields in the order of their keys.
static int32_t flatten_table(lua_State *L, glua_state *g, int table, uint32_t depth) {
    if (++g->nodes > g->limits.tape_nodes) return fail(g, GLUA_LARGE, depth);
    const void *identity = lua_topointer(L, table);
    for (uint32_t level = 0; level < depth; level++) {
        if (g->ancestors[level] == identity) return fail(g, GLUA_CYCLE, depth);
    }
    // The limit is below the size of `ancestors` and `path`, and below what fits on the C stack.
    if (depth >= g->limits.tape_depth) return fail(g, GLUA_DEEP, depth);
    if (!lua_checkstack(L, 8) || !glua_tape_reserve(&g->tape, 16)) return GLUA_MEMORY;
    g->ancestors[depth] = identity;

    table_walk walk = {table, depth, g->tape.count, g->entry_count, g->fresh_count, g->nodes, 0, 0, false};
    uint32_t counts[2] = {0, 0};
    put_tag(&g->tape, GLUA_TAG_TABLE);
    put(&g->tape, counts, 8);

    // A status other than GLUA_OK leaves the stack and the arena unchanged: the outermost caller clears both.
    int32_t status = walk_once(L, g, &walk);
    if (status == GLUA_OK) status = walk.is_split ? walk_split_list(L, g, &walk) : glua_sort_entries(g, walk.base);
    if (status != GLUA_OK) return status;
    size_t count = g->entry_count - walk.base;
    status = flatten_entries(L, g, &walk, count);
    if (status != GLUA_OK) return status;
    g->entry_count = walk.base;
    counts[0] = (uint32_t)walk.list_count;
    counts[1] = (uint32_t)count;
    memcpy(g->tape.bytes + walk.header + 1, counts, 8); // by offset: the bytes may have moved
    return GLUA_OK;
}

int32_t glua_flatten(lua_State *L, int first, int last) {
    glua_state *g = glua_of(L);
    g->tape.count = 0;
    g->tape.values = 0;
    g->tape.references = 0;
    g->tape.plain = false;
    g->nodes = 0;
    g->entry_count = 0; // a Lua error may have left entries in the arena
    for (int index = first; index <= last; index++) {
        int32_t status = flatten_value(L, g, index, 0);
        if (status != GLUA_OK) return status;
        g->tape.values++;
    }
    g->tape.references = (uint32_t)g->fresh_count;
    // Work that the hook does not see counts as well, but must not raise while slots are fresh.
    g->work += g->nodes;
    return GLUA_OK;
}

// Appends a value that is not an integer. Returns where the next one goes, or NULL if it is not plain.
static uint8_t *flatten_plain_value(lua_State *L, int index, uint8_t *at) {
    switch (lua_type(L, index)) {
    case LUA_TNIL: *at = GLUA_TAG_NIL; return at + 1;
    case LUA_TBOOLEAN: *at = lua_toboolean(L, index) ? GLUA_TAG_TRUE : GLUA_TAG_FALSE; return at + 1;
    case LUA_TNUMBER: {
        lua_Number value = lua_tonumberx(L, index, NULL);
        *at = GLUA_TAG_NUMBER;
        memcpy(at + 1, &value, 8);
        return at + 9;
    }
    default: return NULL;
    }
}

bool glua_flatten_plain(glua_state *g, lua_State *L, int first, int last) {
    uint32_t count = (uint32_t)(last - first + 1);
    // The tape has had room for that many since glua_open.
    if (count > GLUA_MOST_PLAIN || count > g->limits.tape_nodes || 9 * (size_t)count > g->limits.tape_bytes) {
        return false;
    }
    uint8_t *at = g->tape.bytes;
    for (int index = first; index <= last; index++) {
        if (lua_isinteger(L, index)) {
            lua_Integer value = lua_tointegerx(L, index, NULL);
            *at = GLUA_TAG_INTEGER;
            memcpy(at + 1, &value, 8);
            at += 9;
        } else {
            at = flatten_plain_value(L, index, at);
            if (at == NULL) return false;
        }
    }
    g->tape.count = (size_t)(at - g->tape.bytes);
    g->tape.values = count;
    g->tape.plain = true;
    g->work += count;
    return true;
}

// Raises what glua_flatten returned. `what` names the role of the values.
void glua_check_flatten(lua_State *L, int32_t status, const char *what) {
    glua_state *g = glua_of(L);
    if (status == GLUA_OK) return;
    glua_drop_fresh(g);
    if (status == GLUA_MEMORY) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) glua_raise_abort(L);
    char path[GLUA_CHUNK_SIZE];
    memcpy(path, g->failure.path, sizeof path);
    const char *reason = status == GLUA_CYCLE  ? "the table contains itself"
                         : status == GLUA_DEEP ? "tables are nested too deeply"
                         : status == GLUA_KEY  ? "a key must be a string, a number or a boolean"
                                               : "there is too much data";
    glua_push_where(L);
    lua_pushfstring(L, "%s%s%s", what, what[0] != 0 ? ": " : "", reason);
    lua_concat(L, 2);
    glua_note *note = glua_annotate(L, status);
    memcpy(note->path, path, sizeof note->path);
    lua_error(L);
}

// Pushing

typedef struct reader {
    const glua_tape *tape;
    size_t at;
} reader;

static const uint8_t *take(lua_State *L, reader *r, size_t count) {
    if (r->tape->count - r->at < count) luaL_error(L, "the tape is truncated");
    const uint8_t *bytes = r->tape->bytes + r->at;
    r->at += count;
    return bytes;
}

static uint32_t take_count(lua_State *L, reader *r) {
    uint32_t count;
    memcpy(&count, take(L, r, 4), 4);
    return count;
}

// The `__index` of a checked table. Upvalues: a function, and the number that the host gave the table. The function is
// not called with the table, which may be large, but with the number.
static int missing_key(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

// Gives the table on top a metatable that reports missing keys.
static void check_keys(lua_State *L, uint32_t slot, uint32_t number) {
    luaL_checkstack(L, 6, "too much nesting");
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    lua_rawgeti(L, -1, slot);
    lua_remove(L, -2);
    lua_pushinteger(L, number);
    lua_pushcclosure(L, missing_key, 2);
    glua_explain_absent(L);
}

static void push_value(lua_State *L, reader *r, int depth) {
    switch (*take(L, r, 1)) {
    case GLUA_TAG_NIL: lua_pushnil(L); break;
    case GLUA_TAG_FALSE: lua_pushboolean(L, 0); break;
    case GLUA_TAG_TRUE: lua_pushboolean(L, 1); break;
    case GLUA_TAG_INTEGER: {
        int64_t value;
        memcpy(&value, take(L, r, 8), 8);
        lua_pushinteger(L, value);
        break;
    }
    case GLUA_TAG_NUMBER: {
        double value;
        memcpy(&value, take(L, r, 8), 8);
        lua_pushnumber(L, value);
        break;
    }
    case GLUA_TAG_STRING: {
        uint32_t count = take_count(L, r);
        lua_pushlstring(L, (const char *)take(L, r, count), count);
        break;
    }
    case GLUA_TAG_TABLE: {
        uint32_t list = take_count(L, r);
        uint32_t fields = take_count(L, r);
        // Each value takes at least one byte, so corrupt counts cannot reserve more memory than the tape has bytes.
        size_t left = r->tape->count - r->at;
        if (depth > 256 || list > left || fields > (left - list) / 2) luaL_error(L, "the tape is corrupt");
        luaL_checkstack(L, 4, "too much nesting");
        lua_createtable(L, (int)list, (int)fields);
        for (uint32_t index = 1; index <= list; index++) {
            push_value(L, r, depth + 1);
            lua_rawseti(L, -2, index);
        }
        for (uint32_t index = 0; index < fields; index++) {
            push_value(L, r, depth + 1);
            push_value(L, r, depth + 1);
            lua_rawset(L, -3);
        }
        break;
    }
    case GLUA_TAG_CHECKED: {
        uint32_t slot = take_count(L, r);
        uint32_t number = take_count(L, r);
        push_value(L, r, depth);
        if (!lua_istable(L, -1)) luaL_error(L, "the tape is corrupt");
        check_keys(L, slot, number);
        break;
    }
    case GLUA_TAG_FUNCTION:
    case GLUA_TAG_OBJECT:
    case GLUA_TAG_THREAD: {
        uint32_t slot = take_count(L, r);
        lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
        lua_rawgeti(L, -1, slot);
        lua_remove(L, -2);
        break;
    }
    default: luaL_error(L, "the tape holds an unknown tag");
    }
}

// Pushes all values of the tape. Raises if there is not enough memory. No Swift code runs meanwhile, so the tape does
// not change.
void glua_push_tape(lua_State *L) {
    glua_state *g = glua_of(L);
    reader r = {&g->tape, 0};
    luaL_checkstack(L, (int)g->tape.values + 4, "too many values");
    for (uint32_t index = 0; index < g->tape.values; index++) push_value(L, &r, 0);
}

static const uint8_t plain_sizes[GLUA_TAG_OPAQUE + 1] = {
    [GLUA_TAG_NIL] = 1, [GLUA_TAG_FALSE] = 1, [GLUA_TAG_TRUE] = 1, [GLUA_TAG_INTEGER] = 9, [GLUA_TAG_NUMBER] = 9,
};

bool glua_looks_plain(const glua_tape *tape) {
    size_t at = 0;
    for (uint32_t index = 0; index < tape->values; index++) {
        if (at >= tape->count || tape->bytes[at] > GLUA_TAG_NUMBER) return false;
        at += plain_sizes[tape->bytes[at]];
    }
    return at <= tape->count;
}

void glua_push_plain(lua_State *L) {
    const glua_tape *tape = &glua_of(L)->tape;
    const uint8_t *at = tape->bytes;
    for (uint32_t left = tape->values; left > 0; left--) {
        // Most values are integers, and a jump for each kind takes longer than a comparison.
        if (*at == GLUA_TAG_INTEGER) {
            int64_t bits;
            memcpy(&bits, at + 1, 8);
            lua_pushinteger(L, bits);
            at += 9;
            continue;
        }
        switch (*at) {
        case GLUA_TAG_NUMBER: {
            double value;
            memcpy(&value, at + 1, 8);
            lua_pushnumber(L, value);
            at += 9;
            break;
        }
        case GLUA_TAG_NIL:
            lua_pushnil(L);
            at++;
            break;
        default: lua_pushboolean(L, *at++ == GLUA_TAG_TRUE);
        }
    }
}
