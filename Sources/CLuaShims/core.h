// Private to CLuaShims: the declarations that the C files share.
#ifndef GLUA_CORE_H
#define GLUA_CORE_H

#include "CLuaShims.h"
#include "CLuaTokens.h"

#include <stdatomic.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// Fixed keys in the registry, because reading an integer key never raises. "Integer keys in the registry must not be
// used for other purposes" than luaL_ref's (manual 4.3): nothing in this state calls it, and 3, its list of free keys,
// is reserved for it nevertheless. 1 and 2 are LUA_RIDX_MAINTHREAD and LUA_RIDX_GLOBALS.
#define GLUA_REG_SLOTS 4  // slot -> function or userdata
#define GLUA_REG_NOTE 5   // the error string that the note in the state describes; kept so its address stays unique
#define GLUA_REG_TYPES 6  // light userdata of a host type -> metatable
#define GLUA_REG_MODULES 7
#define GLUA_REG_HANDLE 8 // metatable of the handles that closures have

// Instructions between two checks of the clock. A thousand take a few microseconds, so a check costs little, and a
// limit of milliseconds is met.
#define GLUA_HOOK_PERIOD 1000
// Once a block this large exists, one instruction can take long (comparing or converting a long string), so the hook
// checks the clock every few instructions.
#define GLUA_LARGE_BLOCK (64 * 1024)
#define GLUA_FINE_PERIOD 10
// Units of work that C functions may do between two checks of the clock; a unit takes at most a few nanoseconds.
#define GLUA_WORK_SLICE 20000
// Nested calls from Lua to Swift and back. Lua itself stops at 200 C calls (LUAI_MAXCCALLS). A level here has several,
// with Swift frames of unknown size between them, on a stack of 16 MB.
#define GLUA_MAX_DEPTH 60
// lua_resetthread does not count C calls before 5.4.5, so nested closing is limited here.
#define GLUA_MAX_CLOSE_DEPTH 16
// The names that one search for the name of an operand may follow, because older releases recurse for each.
#define GLUA_MAX_NAME_CHAIN 1000
// These names times the tokens of their function: a few tens of milliseconds.
#define GLUA_MAX_NAMING 8000000
// The same for all frames of one error.
#define GLUA_MAX_FRAME_NAMING (2 * GLUA_MAX_NAMING)

// The memory that the host keeps for each function and each object: the handle, the boxes, and a small object.
#define GLUA_HANDLE_BYTES 192
// The host's memory is reported to the collector in portions of this size.
#define GLUA_PACE_BYTES (16 * 1024)

// One reference to a host object. A Lua userdata owns it until the userdata is collected. Then it is in the list of
// dead handles until Swift takes it.
typedef struct glua_handle {
    void *object;
    struct glua_handle *next;
    size_t bytes; // counted for it
    bool at_once; // released when it is collected, not later when no Lua is running
} glua_handle;

// The contents of a host userdata. The magic number and the size distinguish it from every other userdata, before its
// other fields are trusted.
typedef struct glua_object {
    uint64_t magic;
    const void *type;
    glua_handle *handle;
} glua_object;

// A value that is not a reference. The bytes of a string belong to Lua and do not move while the table or the stack
// contains it.
typedef struct glua_scalar {
    int kind; // a GLUA_TAG, or GLUA_TAG_OPAQUE for a value that must be fetched from the table
    union {
        lua_Integer integer;
        lua_Number number;
        const char *bytes;
    } as;
    size_t count;
} glua_scalar;

typedef struct glua_rank glua_rank;

typedef struct glua_entry {
    glua_scalar key;
    glua_scalar value;
} glua_entry;

// Information about an error besides its text, which is all that Lua carries. It applies only to the string at that
// address, so that it is not used for another error.
typedef struct glua_note {
    const char *text; // address of the anchored string
    int32_t status;
    char name[GLUA_NAME_SIZE];
    char path[GLUA_CHUNK_SIZE];
    glua_position position;
} glua_note;

struct glua_state {
    lua_State *main;
    lua_State *L; // the running coroutine, as far as C knows
    glua_host host;
    int32_t profile;

    glua_limits limits;
    glua_limits default_limits;
    uint32_t evaluations; // nesting
    uint32_t depth;       // calls into the host on the stack
    uint32_t closing;     // nested coroutine.close
    int32_t aborted;      // the sticky limit
    bool own_limits;      // `limits` are those of one evaluation, not the default
    bool has_base;        // the main stack holds the message handler at 1 and the table of slots at 2
    bool running;         // the hook counts
    int32_t interrupted;  // another thread requested the end; read and written atomically

    bool clock_started;
    uint64_t cpu_start, wall_start, wall_checked;
    uint64_t tick; // of the coarse clock, after the last host call
    uint64_t cpu_used; // of the last evaluation
    uint64_t instructions;
    size_t work;
    size_t output;
    int period;
    uint32_t hook_calls;
    bool large;     // a block of GLUA_LARGE_BLOCK was allocated: loops over empty table slots can take long
    size_t naming;  // the maximum work of naming an operand in the compiled code
    bool starved;   // an aborted run requested more than its reserve: nothing grows anymore

    size_t unpaced;                        // bytes of the host that were not reported to the collector yet
    size_t memory, peak_memory, allocated; // allocated: bytes since the allocator last checked the clock
    glua_position last;                    // seen by the hook

    glua_tape tape;
    glua_entry *entries;
    glua_rank *ranks; // the order of the entries, and the same room again for merging
    size_t entry_count, entry_capacity;
    uint32_t nodes;
    const void *ancestors[256];
    glua_scalar path[256];

    uint32_t slot_count;
    uint32_t *free_slots;
    size_t free_count, free_capacity;
    uint32_t *fresh; // slots taken by an unfinished flattening
    size_t fresh_count, fresh_capacity;

    glua_handle *dead;
    glua_note note;
    glua_failure failure;
    char *message;
    size_t message_capacity;
};

// The state of any of its coroutines: "Each new thread has this area initialized with a copy of the area of the main
// thread" (manual 4.6, lua_getextraspace).
static inline glua_state *glua_of(lua_State *L) { return *(glua_state **)lua_getextraspace(L); }

// state.c
void glua_arm(glua_state *g, lua_State *L);
// Records the limit and where it was exceeded, and makes it sticky. Does not raise.
void glua_abort(glua_state *g, lua_State *L, int32_t status);
// Raises the sticky limit without allocating.
int glua_raise_abort(lua_State *L);
bool glua_over_time(glua_state *g);
void glua_look_at_clock(glua_state *g, lua_State *L);
// Whether a check of the clock is due after a step over a table, which may have passed a million empty slots that
// nothing counts.
bool glua_is_clock_due(glua_state *g);

// Charges work that no hook sees, and raises if the time is used up.
static inline void glua_charge(lua_State *L, size_t units) {
    glua_state *g = glua_of(L);
    g->work += units;
    if (g->work >= GLUA_WORK_SLICE) glua_look_at_clock(g, L);
}

// Charges a step over a table.
static inline void glua_charge_step(lua_State *L) {
    glua_charge(L, 1);
    glua_state *g = glua_of(L);
    if (g->large && glua_is_clock_due(g)) glua_look_at_clock(g, L);
}

// Charges a caught error: for its message, Lua may have searched for the name of an operand.
static inline void glua_charge_error(lua_State *L) { glua_charge(L, 1 + glua_of(L)->naming / 16); }

// Relaxed throughout: no other access depends on the count, and the other fields never change.
struct glua_fault {
    _Atomic uint64_t seen; // written by the state's thread; read by any
    uint64_t fail_at;
    bool for_good;
};

static inline bool glua_fails(glua_fault *fault) {
    if (fault == NULL) return false;
    uint64_t number = atomic_fetch_add_explicit(&fault->seen, 1, memory_order_relaxed) + 1;
    if (fault->fail_at == 0) return false;
    return fault->for_good ? number >= fault->fail_at : number == fault->fail_at;
}
// For memory that does not belong to Lua.
void *glua_reallocate(glua_fault *fault, void *block, size_t size);

// failure.c
bool glua_set_message(glua_state *g, const char *text, size_t count);
bool glua_find_position(lua_State *L, glua_position *position);
void glua_record_frames(glua_state *g, lua_State *L);
int glua_message_handler(lua_State *L);
void glua_push_where(lua_State *L);
// Annotates the string on top of the stack, so that the message handler knows more about it than its text.
glua_note *glua_annotate(lua_State *L, int32_t status);
// Formats like lua_pushfstring, with the current line in front, and raises an ordinary error.
int glua_error(lua_State *L, const char *format, ...);
int glua_denied(lua_State *L, const char *name, const char *format, ...);
void glua_copy(char *to, size_t size, const char *from, size_t count);

// tape.c
int32_t glua_flatten(lua_State *L, int first, int last);
void glua_check_flatten(lua_State *L, int32_t status, const char *what);
void glua_push_tape(lua_State *L);
// Whether the tape contains only nil, booleans and numbers, which can be pushed without memory.
bool glua_looks_plain(const glua_tape *tape);
static inline bool glua_is_plain(const glua_tape *tape) { return tape->plain || glua_looks_plain(tape); }
// Pushes such a tape. The caller has made room on the stack.
void glua_push_plain(lua_State *L);
// Puts the values from `first` to `last` on the tape if they are plain and few; otherwise returns false, and the tape
// is undefined. Never raises.
bool glua_flatten_plain(glua_state *g, lua_State *L, int first, int last);
#define GLUA_MOST_PLAIN 8

// slots.c
uint32_t glua_store(lua_State *L);
void glua_drop_fresh(glua_state *g);
// Frees the slots that were taken since there were `count` of them; needs no memory.
void glua_forget_fresh(lua_State *L, glua_state *g, size_t count);

// naming.c
typedef struct glua_naming {
    size_t work;            // the maximum for one name
    uint32_t refused_names; // 0: nothing is rejected
    size_t refused_tokens;  // of the function, if both together are too much
    size_t refused_at;
} glua_naming;
void glua_survey_names(const char *source, size_t count, glua_naming *result);

// order.c
// Appends the entries of a table except 1...list_count to the arena and sorts them. The strings do not move as long as
// the table is not changed.
int32_t glua_gather(lua_State *L, int table, lua_Integer list_count);
// Appends the entry whose key and value are on top of the stack to the arena, and pops the value.
int32_t glua_gather_entry(lua_State *L, glua_state *g, size_t base);
// Sorts the entries that were gathered from `base`. Returns the limit that was exceeded meanwhile.
int32_t glua_sort_entries(glua_state *g, size_t base);
// The entry at a position in that order.
const glua_entry *glua_entry_at(const glua_state *g, size_t base, size_t index);
int glua_compare_scalars(const glua_scalar *a, const glua_scalar *b);
void glua_push_scalar(lua_State *L, const glua_scalar *scalar);

// Reads the value at `index`. Returns false if it is not a scalar. Inline, because it runs for each value of a tape.
static inline bool glua_read_scalar(lua_State *L, int index, glua_scalar *scalar) {
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        scalar->kind = GLUA_TAG_NIL;
        return true;
    case LUA_TBOOLEAN:
        scalar->kind = lua_toboolean(L, index) ? GLUA_TAG_TRUE : GLUA_TAG_FALSE;
        return true;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            scalar->kind = GLUA_TAG_INTEGER;
            scalar->as.integer = lua_tointeger(L, index);
        } else {
            scalar->kind = GLUA_TAG_NUMBER;
            scalar->as.number = lua_tonumber(L, index);
        }
        return true;
    case LUA_TSTRING:
        scalar->kind = GLUA_TAG_STRING;
        scalar->as.bytes = lua_tolstring(L, index, &scalar->count);
        return true;
    default:
        scalar->kind = GLUA_TAG_OPAQUE;
        return false;
    }
}

// source.c
int glua_load_text(lua_State *L, const char *source, size_t count, const char *chunk);
// Runs `body` with the light userdata in a protected call, as an evaluation of its own unless one is running.
int32_t glua_protect(glua_state *g, lua_CFunction body, void *context);

// host.c
glua_object *glua_to_object(lua_State *L, int index);
void glua_install_host(lua_State *L);

// profile.c, base.c, string.c, pattern.c, table.c, coroutine.c
void glua_install_profile(lua_State *L);
void glua_install_base(lua_State *L);
void glua_install_string(lua_State *L);
void glua_install_table(lua_State *L);
void glua_install_coroutine(lua_State *L);
const char *glua_profile_name(const glua_state *g);
// Pushes the text of tostring in the config profile, without an address.
void glua_push_plain_text(lua_State *L, int index);
// Runs the system's function, which is the upvalue, with unchanged arguments and in the caller's place, so that its
// messages name it. Only for functions without upvalues of their own.
int glua_run_system(lua_State *L, int upvalue);
// The number of tables that one access with a metamethod may visit: Lua follows up to 2,000 in a step that no hook
// sees.
size_t glua_count_links(lua_State *L, int index);
// Charges a loop over `count` elements of the table at `index`, or rejects it, because one access may visit 2,000
// tables.
void glua_charge_elements(lua_State *L, int index, size_t count);
// The length of the list at 1, which must not have a `__len`: it could return any number, and loops would trust it.
lua_Integer glua_check_length(lua_State *L, const char *function);
int glua_table_sort(lua_State *L);
// Copies the named functions from the table at `from` to the table on top.
void glua_copy_functions(lua_State *L, int from, const char *const *names);
// Takes a function from the top, and gives the table below it a metatable that calls it for absent names. Scripts cannot
// reach or change that metatable, because it has a `__metatable` (manual 6.1, setmetatable).
void glua_explain_absent(lua_State *L);
void glua_protect_library(lua_State *L, const char *library);
int glua_pattern_find(lua_State *L);
int glua_pattern_match(lua_State *L);
int glua_pattern_gmatch(lua_State *L);
int glua_pattern_gsub(lua_State *L);

#endif
