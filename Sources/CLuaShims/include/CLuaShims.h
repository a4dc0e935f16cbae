// The only header between Swift and Lua. Swift never sees a lua_State, because Lua raises with longjmp and a longjmp
// across a Swift frame skips its releases.
//
// Nothing declared here raises.
// - Functions that run Lua, allocate in it or can fail in it do so in a protected call and return a status:
//   glua_install, glua_load, glua_call, glua_set_global, glua_get_global, glua_release, glua_new_function,
//   glua_set_module_loader, glua_new_type, glua_add_member, glua_new_object, and the collection that glua_hold may
//   start.
// - Around the protected call, and in all other functions, there are only calls that never raise according to the
//   manual (4.6, "-"), or that raise only under a condition that is not met there; a comment says which. These are
//   mainly lua_checkstack, pushes of values that need no memory, raw reads by integer, lua_settop without variables to
//   close, and lua_getinfo without 'f' and 'L'.
// - A limit that is exceeded outside a protected call is recorded, not raised: Lua raises it at its next step.
// - The functions of glua_host are called from within Lua. They return normally, and C raises after that, when no Swift
//   frame is left.
//
// A state belongs to one thread, and every function that takes a state must be called on that thread unless its comment
// says otherwise. All others may be called on any thread.
#ifndef CLUASHIMS_H
#define CLUASHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glua_state glua_state;

// Statuses. GLUA_TIME to GLUA_OUTPUT are the limits, which are sticky until the evaluation ends.
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
#define GLUA_NAMES 15 // for a chunk: searching for the name of an operand in it could take too long

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
#define GLUA_TAG_CHECKED 11 // to Lua only: uint32 slot of a function, uint32 number, then a table

#define GLUA_PROFILE_CONFIG 0
#define GLUA_PROFILE_SCRIPT 1

// Makes allocations fail in tests. Every allocation of this library and of Lua counts.
typedef struct glua_fault glua_fault;

// The bytes that carry values between the two languages. The state owns and reuses them.
typedef struct glua_tape {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    uint32_t values; // values at the top level
    uint32_t references; // slots of the values from Lua, if the tape is not plain
    bool plain;      // known to contain only booleans and numbers; writing anything else clears it
    glua_fault *fault;
} glua_tape;

// The limits of one evaluation. Zero wall_ns means no wall-clock limit.
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
    int32_t line; // 0: the position is unknown
    bool approximate;
} glua_position;

typedef struct glua_frame {
    char chunk[GLUA_CHUNK_SIZE];
    char name[GLUA_NAME_SIZE]; // empty: Lua has no name for it
    int32_t line;              // 0: a native function
    int32_t kind;
} glua_frame;

// The last failure. Valid until the next call into the state.
typedef struct glua_failure {
    int32_t status;
    glua_position position;
    const char *message;
    size_t message_count;
    char name[GLUA_NAME_SIZE];    // for GLUA_DENIED
    char path[GLUA_CHUNK_SIZE];   // key path for GLUA_CYCLE, GLUA_DEEP, GLUA_LARGE and GLUA_KEY
    uint32_t frame_count;
    uint32_t skipped_frames;      // omitted between the first 32 and the last 8
    size_t token_end;             // for GLUA_SYNTAX: offset just past the last token that Lua read;
                                  // for GLUA_NAMES: offset of the first name over the limit
    bool at_end_of_source;        // for GLUA_SYNTAX: that token is the end of the source
    glua_frame frames[GLUA_FRAMES_HEAD + GLUA_FRAMES_TAIL];
} glua_failure;

// The functions of the host, which C calls on the thread that owns the state, from within Lua. They may use Lua only
// through this header, and must not unwind.
typedef struct glua_host {
    void *context;
    glua_fault *fault;             // NULL except in tests
    // The arguments are on the tape. The function leaves its results there and returns GLUA_OK, or it leaves the
    // message and returns another status. After the message there may be a second string: the name for GLUA_DENIED,
    // otherwise the key path. The position is zeroed on entry; a failure that sets it is reported there instead of at
    // the calling line.
    int32_t (*call)(void *context, void *function, void *object, glua_position *position);
    void (*output)(void *context, const char *bytes, size_t count);
    void (*warn)(void *context, const char *bytes, size_t count); // NULL: there is no `warn`
    // Releases one reference to an object that Lua no longer references. For an object that was created with bytes of
    // its own, this is called from within Lua's collector.
    void (*release)(void *context, void *object);
} glua_host;

// Lifecycle

// Returns NULL if there is not enough memory. The state's own memory counts toward limits->memory.
glua_state *glua_open(const glua_host *host, int32_t profile, const glua_limits *limits);
// Installs the profile's environment. The state must be closed after a failure.
int32_t glua_install(glua_state *g);
// Runs no code of a program: its metatables have no __gc, and variables of suspended coroutines are not closed. Frees
// everything except the handles of host objects: take those with glua_take_dead, then call glua_free.
void glua_close(glua_state *g);
void glua_free(glua_state *g);

// Evaluations

// Nested evaluations join the outer one and ignore their limits.
void glua_begin(glua_state *g, const glua_limits *limits);
// Ends the running evaluation and all later ones, as if their time were used up. Can be called from any thread, while
// the state is open.
void glua_interrupt(glua_state *g);
// Lets later evaluations run again. Must be called while none is running.
void glua_end_interruption(glua_state *g);
// Returns the limit that ended the evaluation, or GLUA_OK.
int32_t glua_end(glua_state *g);

// The state of an evaluation that is saved while a part of it runs.
typedef struct glua_part {
    glua_limits limits;
    uint64_t cpu_start, wall_start;
    uint64_t cpu_began, wall_began;
} glua_part;

// Begins a part of the running evaluation with its own time: the clocks of the evaluation are stopped meanwhile. The
// part gets at most the remaining output of the evaluation. Parts end in reverse order, in the Lua frame in which they
// began.
void glua_begin_part(glua_state *g, uint64_t cpu_ns, uint64_t wall_ns, size_t output, glua_part *part);
// Ends the part. A limit that it exceeded ends with it, except for the instruction limit, because there is only one
// count.
void glua_end_part(glua_state *g, const glua_part *part);
void glua_get_usage(const glua_state *g, glua_usage *usage);
// The limits of the running evaluation, or of the last one.
const glua_limits *glua_get_limits(const glua_state *g);
// The limits of the running evaluation, or those of the next call without limits of its own.
const glua_limits *glua_get_call_limits(const glua_state *g);
// Checks the clocks if the last check was some time ago; an exceeded limit ends the evaluation. If there are objects
// that Lua no longer references, returns true instead: the caller takes and releases them first, which may also take
// time.
bool glua_look(glua_state *g);
// The remaining wall-clock time of the evaluation; false if none is running or it has no such limit.
bool glua_get_remaining_wall(glua_state *g, uint64_t *ns);
// The remaining CPU time or wall-clock time of the evaluation, whichever is less; false if none is running.
bool glua_get_remaining_time(glua_state *g, uint64_t *ns);
// Ends the evaluation if its time is used up. Returns its status, or GLUA_OK.
int32_t glua_check_time(glua_state *g);
// Counts CPU time that another thread used for the evaluation.
void glua_count_time(glua_state *g, uint64_t ns);

// Accounting for memory that the host keeps for Lua

// Counts bytes of the host toward the memory limit. If there is no room, objects that Lua no longer references are
// collected and released first. If the bytes are not counted, returns GLUA_MEMORY, or the limit that ended the
// evaluation before.
int32_t glua_hold(glua_state *g, size_t bytes);
void glua_give_back(glua_state *g, size_t bytes);
// Counts bytes that the host will write for Lua toward the output limit.
int32_t glua_count_output(glua_state *g, size_t bytes);

// Fails the allocation with the number fail_at, from 1, or none for 0; with for_good, also all that follow. Returns
// NULL if there is not enough memory. Outlives the state.
glua_fault *glua_fault_new(uint64_t fail_at, bool for_good);
// The number of requested allocations. Can be read from any thread, even while the state is running.
uint64_t glua_fault_seen(const glua_fault *fault);
void glua_fault_free(glua_fault *fault);

// Loading and calling

glua_tape *glua_get_tape(glua_state *g);
// Makes room for `count` more bytes. Returns false if there is not enough memory.
bool glua_tape_reserve(glua_tape *tape, size_t count);
const glua_failure *glua_get_failure(const glua_state *g);

// Compiles a chunk and puts the function into a slot.
int32_t glua_load(glua_state *g, const char *source, size_t count, const char *chunk, uint32_t *slot,
                  uint64_t *identity);
// Calls the function in the slot with the values on the tape, and leaves the results there.
int32_t glua_call(glua_state *g, uint32_t slot);
int32_t glua_set_global(glua_state *g, const char *name, size_t count);
int32_t glua_get_global(glua_state *g, const char *name, size_t count);
// The current Lua line, for a host function.
bool glua_get_caller(glua_state *g, glua_position *position);

// References

void glua_release(glua_state *g, const uint32_t *slots, size_t count);
// The slots of the values on the tape, whose number is `references`. Valid until the next call into the state.
const uint32_t *glua_get_references(const glua_state *g);
// Returns an object that Lua no longer references, or NULL. The caller releases it.
void *glua_take_dead(glua_state *g);

// Host functions and objects. Each call takes ownership of one reference to `function` or `object` if it returns
// GLUA_OK.

int32_t glua_new_function(glua_state *g, void *function, uint32_t *slot, uint64_t *identity);
// `require` exists only in the script profile. The function returns the source bytes and the chunk name, or nothing.
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

// `type` is the address of the host's object type, which must outlive the state.
int32_t glua_new_type(glua_state *g, const void *type, const char *name, size_t count);
int32_t glua_add_member(glua_state *g, const void *type, int32_t kind, const char *name, size_t count, void *function);
// `bytes` is the memory that the object keeps besides itself. It counts like Lua's own memory until Lua has collected
// the object. If it is not 0, the object is released at the time of its collection, so its release must not use the
// state.
int32_t glua_new_object(glua_state *g, const void *type, void *object, size_t bytes, uint32_t *slot,
                        uint64_t *identity);

// Threads

// Starts a detached thread with a stack of that size. Returns 0 or an errno.
int32_t glua_thread_start(size_t stack_size, void (*body)(void *), void *context);
// A number that is unique among living threads.
uintptr_t glua_thread_current(void);

// The release of the loaded library, such as 50404; that of the headers if the library does not contain its own.
int32_t glua_lua_release(void);

#ifdef __cplusplus
}
#endif

#endif
