// The order of keys: numbers, strings, booleans. Lua has none (manual 6.1, next), so without it the same file would
// produce different values from run to run. The entries of a table are gathered in an arena and sorted there by a few
// bytes each.
//
// Gathering and sorting return limits as a status instead of raising, because slots may be fresh.

#include "core.h"

#include <string.h>

void glua_push_scalar(lua_State *L, const glua_scalar *scalar) {
    switch (scalar->kind) {
    case GLUA_TAG_FALSE: lua_pushboolean(L, 0); break;
    case GLUA_TAG_TRUE: lua_pushboolean(L, 1); break;
    case GLUA_TAG_INTEGER: lua_pushinteger(L, scalar->as.integer); break;
    case GLUA_TAG_NUMBER: lua_pushnumber(L, scalar->as.number); break;
    case GLUA_TAG_STRING: lua_pushlstring(L, scalar->as.bytes, scalar->count); break;
    default: lua_pushnil(L);
    }
}

static int key_rank(int kind) {
    return kind == GLUA_TAG_INTEGER || kind == GLUA_TAG_NUMBER ? 0 : kind == GLUA_TAG_STRING ? 1 : 2;
}

int glua_compare_scalars(const glua_scalar *a, const glua_scalar *b) {
    int rank = key_rank(a->kind) - key_rank(b->kind);
    if (rank != 0) return rank;
    switch (key_rank(a->kind)) {
    case 0: {
        if (a->kind == b->kind && a->kind == GLUA_TAG_INTEGER) {
            return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
        }
        lua_Number left = a->kind == GLUA_TAG_INTEGER ? (lua_Number)a->as.integer : a->as.number;
        lua_Number right = b->kind == GLUA_TAG_INTEGER ? (lua_Number)b->as.integer : b->as.number;
        if (left != right) return left < right ? -1 : 1;
        return a->kind - b->kind; // a float key that rounds like an integer key: the integer goes first
    }
    case 1: {
        size_t shared = a->count < b->count ? a->count : b->count;
        int order = memcmp(a->as.bytes, b->as.bytes, shared);
        if (order != 0) return order;
        return (a->count > b->count) - (a->count < b->count);
    }
    default: return a->kind - b->kind;
    }
}

// The first bytes of a string, most significant first: most keys differ there.
static inline uint64_t prefix_of(const glua_scalar *key) {
    if (key->kind != GLUA_TAG_STRING) return 0;
    uint64_t prefix = 0;
    memcpy(&prefix, key->as.bytes, key->count < 8 ? key->count : 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    prefix = __builtin_bswap64(prefix);
#endif
    return prefix;
}

// The rank of an entry, in a few bytes: sorting moves these instead of the entries.
struct glua_rank {
    uint64_t prefix;
    uint32_t index; // of the entry, from the first of its table
    uint32_t kind;  // numbers, strings, booleans
};

static inline int compare_ranks(const glua_entry *entries, const glua_rank *left, const glua_rank *right) {
    if (left->kind != right->kind) return left->kind < right->kind ? -1 : 1;
    if (left->prefix != right->prefix) return left->prefix < right->prefix ? -1 : 1;
    return glua_compare_scalars(&entries[left->index].key, &entries[right->index].key);
}

int32_t glua_gather_entry(lua_State *L, glua_state *g, size_t base) {
    if (g->entry_count == g->entry_capacity) {
        size_t capacity = g->entry_capacity == 0 ? 64 : g->entry_capacity * 2;
        glua_entry *entries = glua_reallocate(g->host.fault, g->entries, capacity * sizeof *entries);
        if (entries == NULL) return GLUA_MEMORY;
        g->entries = entries;
        // Twice as many, because a merge needs room to merge into.
        glua_rank *ranks = glua_reallocate(g->host.fault, g->ranks, 2 * capacity * sizeof *ranks);
        if (ranks == NULL) return GLUA_MEMORY;
        g->ranks = ranks;
        g->entry_capacity = capacity;
    }
    size_t place = g->entry_count++;
    glua_entry *entry = &g->entries[place];
    g->work += 4;
    if ((place & 1023) == 1023 && glua_over_time(g)) return g->aborted; // no hook runs during a walk
    if (!glua_read_scalar(L, -2, &entry->key)) {
        entry->key.as.bytes = luaL_typename(L, -2);
        g->entries[base] = *entry;
        return GLUA_KEY;
    }
    glua_rank *rank = &g->ranks[place];
    rank->prefix = prefix_of(&entry->key);
    rank->index = (uint32_t)(place - base);
    rank->kind = (uint32_t)key_rank(entry->key.kind);
    glua_read_scalar(L, -1, &entry->value);
    lua_pop(L, 1);
    return GLUA_OK;
}

// Stable, and never quadratic whatever the keys are. Ends early if the time is used up; the order is then arbitrary.
static void merge_sort(glua_state *g, const glua_entry *entries, glua_rank *ranks, glua_rank *spare, size_t count) {
    if (count < 24) { // insertion sort is faster for a few
        for (size_t end = 1; end < count; end++) {
            glua_rank moved = ranks[end];
            size_t at = end;
            for (; at > 0 && compare_ranks(entries, &ranks[at - 1], &moved) > 0; at--) ranks[at] = ranks[at - 1];
            ranks[at] = moved;
        }
        return;
    }
    size_t half = count / 2;
    merge_sort(g, entries, ranks, spare, half);
    merge_sort(g, entries, ranks + half, spare, count - half);
    g->work += count;
    if (count >= 2048 && glua_over_time(g)) return;
    memcpy(spare, ranks, half * sizeof *ranks);
    size_t left = 0, right = half, to = 0;
    while (left < half && right < count) {
        ranks[to++] = compare_ranks(entries, &spare[left], &ranks[right]) <= 0 ? spare[left++] : ranks[right++];
    }
    memcpy(ranks + to, spare + left, (half - left) * sizeof *ranks);
}

int32_t glua_sort_entries(glua_state *g, size_t base) {
    size_t count = g->entry_count - base;
    if (count > 1) merge_sort(g, g->entries + base, g->ranks + base, g->ranks + g->entry_capacity, count);
    return g->aborted;
}

const glua_entry *glua_entry_at(const glua_state *g, size_t base, size_t index) {
    return &g->entries[base + g->ranks[base + index].index];
}

int32_t glua_gather(lua_State *L, int table, lua_Integer list_count) {
    glua_state *g = glua_of(L);
    size_t base = g->entry_count;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        if (lua_isinteger(L, -2)) {
            lua_Integer key = lua_tointeger(L, -2);
            if (key >= 1 && key <= list_count) {
                lua_pop(L, 1);
                continue;
            }
        }
        int32_t status = glua_gather_entry(L, g, base);
        if (status != GLUA_OK) {
            lua_pop(L, 2);
            return status;
        }
    }
    return glua_sort_entries(g, base);
}
