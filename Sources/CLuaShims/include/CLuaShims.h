// The one header between Swift and Lua. Swift never sees a lua_State, because Lua raises with longjmp and a longjmp
// across a Swift frame skips its releases.
//
// Nothing declared here raises.
// - What runs Lua, allocates in it or may fail in it does so in a protected call and returns a status: glua_install,
//   glua_load, glua_call, glua_set_global, glua_get_global, glua_release, glua_new_function, glua_set_module_loader,
//   glua_new_type, glua_add_member, glua_new_object, and the collection that glua_hold may start.
// - Around the protected call, and in all other functions, there are only calls that the manual marks as raising
//   nothing (4.6, "-"), or that raise under a condition which does not hold there; a comment says which. Above all
//   these are lua_checkstack, pushes of what needs no memory, raw reads by integer, lua_settop without variables to be
//   closed, and lua_getinfo without 'f' and 'L'.
// - A limit that is found outside of a protected call is recorded, not raised: Lua meets it at its next step.
// - The functions of glua_host are called from within Lua. They return like any other, and C raises after that, when no
//   frame of Swift is left.
//
// A state belongs to one thread, and every function that takes one must be called on it. Those that do not may be
// called on any.
#ifndef CLUASHIMS_H
#define CLUASHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glua_state glua_state;

// Statuses. The limits come first from GLUA_TIME to GLUA_OUTPUT: they are sticky until the evaluation ends.
#define GLUA_OK 0
#define GLUA_RUNTIME 1
#define GLUA_SYNTAX 2
#define GLUA_TIME 3
#define GLUA_WALL 4
#define GLUA_INSTRUCTIONS 5
#define GLUA_MEMORY 6
#define GLUA_OUTPUT 7
#define GLUA_SOURCE 8
#define GLUA_DENIED 9
#define GLUA_CYCLE 10
#define GLUA_DEEP 11
#define GLUA_LARGE 12
#define GLUA_KEY 13
#define GLUA_NOT_UTF8 14
#define GLUA_NAMES 15 // of a text: looking for the name of an operand in it could take too long

// Tags of the tape. Numbers are in native byte order and not aligned.
#define GLUA_TAG_NIL 0
#define GLUA_TAG_FALSE 1
#define GLUA_TAG_TRUE 2
#define GLUA_TAG_INTEGER 3  // int64
#define GLUA_TAG_NUMBER 4   // double
#define GLUA_TAG_STRING 5   // uint32 length, bytes
#define GLUA_TAG_TABLE 6    // uint32 list count, uint32 field count, values 1...n, then key and value of each field
#define GLUA_TAG_FUNCTION 7 // uint32 slot; from Lua also uint64 identity
#define GLUA_TAG_OBJECT 8   // uint32 slot; from Lua also uint64 identity, uint64 host object
#define GLUA_TAG_THREAD 9   // uint32 slot; from Lua also uint64 identity
#define GLUA_TAG_OPAQUE 10  // from Lua only

#define GLUA_PROFILE_CONFIG 0
#define GLUA_PROFILE_SCRIPT 1

// Lets tests fail allocations: each one that this library or Lua makes counts.
typedef struct glua_fault glua_fault;

// The bytes that carry values from one language to the other. The state owns them and uses them again.
typedef struct glua_tape {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    uint32_t values; // values at the top level
    uint32_t references; // slots that the values from Lua take, when the tape is not plain
    bool plain;      // certainly nothing but booleans and numbers; whoever writes anything else clears it
    glua_fault *fault;
} glua_tape;

// What one evaluation may use. Zero wall_ns means no wall-clock limit.
typedef struct glua_limits {
    uint64_t cpu_ns;
    uint64_t wall_ns;
    uint64_t instructions;
    size_t memory;
    size_t source;
    size_t output;
    uint32_t tape_depth;
    uint32_t tape_nodes;
    size_t tape_bytes;
} glua_limits;

typedef struct glua_usage {
    uint64_t cpu_ns;
    uint64_t instructions;
    size_t memory;
    size_t peak_memory;
    size_t output;
} glua_usage;

#define GLUA_CHUNK_SIZE 256
#define GLUA_NAME_SIZE 64
#define GLUA_FRAMES_HEAD 32
#define GLUA_FRAMES_TAIL 8

#define GLUA_FRAME_LUA 0
#define GLUA_FRAME_NATIVE 1
#define GLUA_FRAME_MAIN 2
#define GLUA_FRAME_TAIL_CALL 3

typedef struct glua_position {
    char chunk[GLUA_CHUNK_SIZE];
    int32_t line; // 0: no position is known
    bool approximate;
} glua_position;

typedef struct glua_frame {
    char chunk[GLUA_CHUNK_SIZE];
    char name[GLUA_NAME_SIZE]; // empty: Lua knows no name
    int32_t line;              // 0: a native function
    int32_t kind;
} glua_frame;

// The last failure. Valid until the next call into the state.
typedef struct glua_failure {
    int32_t status;
    glua_position position;
    const char *message;
    size_t message_count;
    char name[GLUA_NAME_SIZE];    // of GLUA_DENIED
    char path[GLUA_CHUNK_SIZE];   // key path of GLUA_CYCLE, GLUA_DEEP, GLUA_LARGE and GLUA_KEY
    uint32_t frame_count;
    uint32_t skipped_frames;      // left out between the first 32 and the last 8
    size_t token_end;             // of GLUA_SYNTAX: offset just past the token that Lua had read;
                                  // of GLUA_NAMES: offset of the name that is too many
    bool at_end_of_source;        // of GLUA_SYNTAX: that token is the end of the source
    glua_frame frames[GLUA_FRAMES_HEAD + GLUA_FRAMES_TAIL];
} glua_failure;

// How C calls the host: on the thread that owns the state, from within Lua. None of these may touch Lua but through this
// header, and none may unwind.
typedef struct glua_host {
    void *context;
    glua_fault *fault;             // NULL but in tests
    // The arguments are on the tape; the function leaves its results there and returns GLUA_OK, or it leaves one
    // string, the message, and returns GLUA_RUNTIME. After GLUA_DENIED the tape holds the name and the message.
    // The position is zeroed on entry; a failure that sets it is reported there instead of at the calling line.
    int32_t (*call)(void *context, void *function, void *object, glua_position *position);
    void (*output)(void *context, const char *bytes, size_t count);
    void (*warn)(void *context, const char *bytes, size_t count); // NULL: there is no `warn`
    // Gives up one reference to an object that Lua no longer holds. Of an object that was made with bytes of its own
    // this comes from within Lua's collector.
    void (*release)(void *context, void *object);
} glua_host;

// Life

// NULL when there is no memory. The state's own memory counts against limits->memory.
glua_state *glua_open(const glua_host *host, int32_t profile, const glua_limits *limits);
// Installs the profile's environment. The state must be closed after a failure.
int32_t glua_install(glua_state *g);
// Runs no code of a program: its metatables have no __gc, and variables of suspended coroutines are not closed.
// Frees everything but the handles of host objects: take those with glua_take_dead, then call glua_free.
void glua_close(glua_state *g);
void glua_free(glua_state *g);

// Evaluations

// Nested evaluations join the outer one and ignore their limits.
void glua_begin(glua_state *g, const glua_limits *limits);
// Ends what runs, and what comes, as its time would. From any thread, while the state is open.
void glua_interrupt(glua_state *g);
// Lets what comes run again. When nothing runs.
void glua_end_interruption(glua_state *g);
// The limit that ended the evaluation, or GLUA_OK.
int32_t glua_end(glua_state *g);

// What a part of an evaluation puts aside while it runs.
typedef struct glua_part {
    glua_limits limits;
    uint64_t cpu_start, wall_start;
    uint64_t cpu_began, wall_began;
} glua_part;

// Begins a part of the evaluation that runs, whose time is not the evaluation's: its clocks stand still meanwhile. Of
// the output the part gets at most what the evaluation has left. Parts end in the reverse order, in the frame of Lua
// that they began in.
void glua_begin_part(glua_state *g, uint64_t cpu_ns, uint64_t wall_ns, size_t output, glua_part *part);
// Ends it. A limit that the part met is over with it, except that of instructions, of which there is one count.
void glua_end_part(glua_state *g, const glua_part *part);
void glua_get_usage(const glua_state *g, glua_usage *usage);
// Those of the evaluation that runs or that ran last.
const glua_limits *glua_get_limits(const glua_state *g);
// Those of the evaluation that runs, or of a call that comes next and brings none.
const glua_limits *glua_get_call_limits(const glua_state *g);
// Looks at the clocks when the last look is some time ago; a limit that is used up becomes the evaluation's end. Where Lua
// no longer holds some objects, answers true instead: the caller takes and releases them first, which may take time too.
bool glua_look(glua_state *g);
// What is left of the evaluation's time by the clock; false when none runs or it has no such limit.
bool glua_get_remaining_wall(glua_state *g, uint64_t *ns);
// What is left of the evaluation's time, of the processor's and by the clock, whichever is less; false when none runs.
bool glua_get_remaining_time(glua_state *g, uint64_t *ns);
// Ends the evaluation when its time is used up: its status, or GLUA_OK.
int32_t glua_check_time(glua_state *g);
// Counts processor time that another thread used for the evaluation as its own.
void glua_count_time(glua_state *g, uint64_t ns);

// The account of what the host keeps for Lua

// Counts bytes of the host against the limit of memory. When there is no room, what Lua no longer holds is collected
// and released first. GLUA_MEMORY, or the limit that ended the evaluation before, when the bytes were not counted.
int32_t glua_hold(glua_state *g, size_t bytes);
void glua_give_back(glua_state *g, size_t bytes);
// Counts bytes that the host will write for Lua against the limit of output.
int32_t glua_count_output(glua_state *g, size_t bytes);

// fail_at counts from 1, 0 fails none; for_good: so do all that follow. NULL when there is no memory. Outlives the
// state.
glua_fault *glua_fault_new(uint64_t fail_at, bool for_good);
// How many allocations were asked for; from any thread, also while the state works.
uint64_t glua_fault_seen(const glua_fault *fault);
void glua_fault_free(glua_fault *fault);

// Work

glua_tape *glua_get_tape(glua_state *g);
// Makes room for `count` more bytes; false when there is no memory.
bool glua_tape_reserve(glua_tape *tape, size_t count);
const glua_failure *glua_get_failure(const glua_state *g);

// Compiles text and puts the function into a slot.
int32_t glua_load(glua_state *g, const char *source, size_t count, const char *chunk, uint32_t *slot,
                  uint64_t *identity);
// Calls the function in the slot with the values of the tape; the results are then on the tape.
int32_t glua_call(glua_state *g, uint32_t slot);
int32_t glua_set_global(glua_state *g, const char *name, size_t count);
int32_t glua_get_global(glua_state *g, const char *name, size_t count);
// The Lua line that is running, seen from a function of the host.
bool glua_get_caller(glua_state *g, glua_position *position);

// References

void glua_release(glua_state *g, const uint32_t *slots, size_t count);
// The slots that the values on the tape take, `references` of them. Valid until the next call into the state.
const uint32_t *glua_get_references(const glua_state *g);
// An object that Lua no longer holds, or NULL. The caller releases it.
void *glua_take_dead(glua_state *g);

// Host functions and objects. Each takes over one reference to `function` or `object` when it returns GLUA_OK.

int32_t glua_new_function(glua_state *g, void *function, uint32_t *slot, uint64_t *identity);
// `require` exists in the script profile only. The function returns source bytes and chunk name, or nothing.
int32_t glua_set_module_loader(glua_state *g, void *function);

#define GLUA_MEMBER_METHOD 0
#define GLUA_MEMBER_GETTER 1
#define GLUA_MEMBER_SETTER 2
#define GLUA_MEMBER_MISSING 3 // called with the unknown name; raises
#define GLUA_MEMBER_CALL 4
#define GLUA_MEMBER_TO_STRING 5
#define GLUA_MEMBER_EQUALS 6
#define GLUA_MEMBER_LENGTH 7
#define GLUA_MEMBER_LESS 8

// `type` is the identity of the host's type description; it must outlive the state.
int32_t glua_new_type(glua_state *g, const void *type, const char *name, size_t count);
int32_t glua_add_member(glua_state *g, const void *type, int32_t kind, const char *name, size_t count, void *function);
// `bytes` are what the object keeps beside itself. They count like Lua's own memory until Lua has collected the object;
// if there are any, it is released in that moment, so its release must not use the state.
int32_t glua_new_object(glua_state *g, const void *type, void *object, size_t bytes, uint32_t *slot,
                        uint64_t *identity);

// Threads

// Starts a detached thread with a stack of that size; 0 or an errno.
int32_t glua_thread_start(size_t stack_size, void (*body)(void *), void *context);
// A number that differs between living threads.
uintptr_t glua_thread_current(void);

// The release of the library that is loaded, such as 50404; of the headers if the library does not tell.
int32_t glua_lua_release(void);

#ifdef __cplusplus
}
#endif

#endif
