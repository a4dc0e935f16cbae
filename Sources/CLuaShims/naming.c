// The cost of naming an operand in an error. Lua searches for the name of what failed along `a.b[c.d]...`, one step for
// each link, and for each step it reads the function from its first instruction; before 5.4.7 it recurses. No hook sees
// any of this, so a chunk in which it could take long is not compiled.

#include "core.h"

#include <string.h>

enum { DEEPEST = 256 }; // Lua's parser rejects more than 200 levels

// Nothing here allocates or raises, and all sizes are fixed, because it reads source that no parser has checked. If the
// source is nested more deeply than the lists, counting continues in the last entry, and Lua's parser rejects the
// source later.
typedef enum block { FUNCTION, OTHER } block;

typedef struct function {
    size_t tokens;  // there are at most two instructions for each
    size_t longest; // names that one search may follow
    size_t at;      // where they end
} function;

typedef struct survey {
    glua_naming *result;
    const glua_token *token;
    function *function;  // the current one
    uint32_t names;      // in the expression so far, including those in its brackets
    bool after_value;    // what follows may continue an expression
    bool after_member;   // the last token is a name after '.' or ':', or it is ']': a '(' after it is a call
    bool calls[DEEPEST]; // for each open bracket: its result has no name
    uint32_t outer[DEEPEST];
    uint32_t depth;
    function functions[DEEPEST];
    uint32_t function_depth;
    block blocks[DEEPEST];
    uint32_t block_depth;
} survey;

static void find_function(survey *s) {
    s->function = &s->functions[s->function_depth < DEEPEST ? s->function_depth : DEEPEST - 1];
}

// Records a chain as soon as it is too long, at the first name over the limit.
static void add_names(survey *s, uint32_t count) {
    s->names += count;
    function *function = s->function;
    if (s->names <= function->longest) return;
    function->longest = s->names;
    function->at = s->token->start;
    if (s->names > GLUA_MAX_NAME_CHAIN && s->result->refused_names == 0) {
        s->result->refused_names = s->names;
        s->result->refused_at = s->token->start;
    }
}

// For each name of a search, Lua reads the function from its first instruction, so the longest chain times the tokens
// is the maximum work of one search.
static void end_function(survey *s) {
    const function *function = s->function;
    size_t work = (function->longest + 1) * function->tokens;
    if (work > s->result->work) s->result->work = work;
    if (work > GLUA_MAX_NAMING && s->result->refused_names == 0) {
        s->result->refused_names = (uint32_t)function->longest;
        s->result->refused_tokens = function->tokens;
        s->result->refused_at = function->at;
    }
}

static void begin_block(survey *s, block block) {
    if (s->block_depth < DEEPEST) s->blocks[s->block_depth] = block;
    s->block_depth++;
    if (block != FUNCTION) return;
    s->function_depth++;
    find_function(s);
    if (s->function_depth < DEEPEST) *s->function = (function){0};
}

static void end_block(survey *s) {
    if (s->block_depth == 0) return; // not valid Lua, which the parser reports
    s->block_depth--;
    if (s->block_depth >= DEEPEST || s->blocks[s->block_depth] != FUNCTION) return;
    end_function(s);
    s->function_depth--;
    find_function(s);
}

static void read_keyword(survey *s) {
    s->names = 0;
    s->after_value = false;
    switch (s->token->which) {
    case GLUA_FUNCTION: begin_block(s, FUNCTION); break;
    case GLUA_DO:
    case GLUA_IF:
    case GLUA_REPEAT: begin_block(s, OTHER); break;
    case GLUA_END:
    case GLUA_UNTIL: end_block(s); break;
    case GLUA_NIL:
    case GLUA_TRUE:
    case GLUA_FALSE: s->after_value = true; break;
    default: break;
    }
}

static void open_bracket(survey *s, uint32_t before, bool call) {
    if (s->depth < DEEPEST) {
        s->outer[s->depth] = before;
        s->calls[s->depth] = call;
    }
    s->depth++;
    s->names = 0;
    s->after_value = false;
}

// Returns the number of names before the bracket that closes. `call` is whether it certainly closes a call.
static uint32_t close_bracket(survey *s, bool *call) {
    *call = false;
    s->after_value = true;
    if (s->depth == 0 || --s->depth >= DEEPEST) return 0;
    *call = s->calls[s->depth];
    return s->outer[s->depth];
}

// A chain continues over '.', ':', '[...]' and '(...)' around names; everything else ends it.
static void read_symbol(survey *s, bool was_member) {
    uint32_t inner = s->names;
    bool call;
    switch (s->token->which) {
    case GLUA_DOT:
    case GLUA_COLON:
        add_names(s, 1);
        s->after_value = false;
        s->after_member = true; // the name that follows keeps it
        break;
    case GLUA_LEFT_BRACKET:
        if (s->after_value) add_names(s, 1);
        open_bracket(s, s->names, false);
        break;
    case GLUA_RIGHT_BRACKET:
        // Both the contents of the brackets and what precedes them are searched.
        s->names = close_bracket(s, &call);
        add_names(s, inner);
        s->after_member = true;
        break;
    case GLUA_LEFT_PARENTHESIS: open_bracket(s, 0, was_member); break;
    case GLUA_RIGHT_PARENTHESIS:
        // `(a.b).c` continues with the names inside; the result of a call has none.
        (void)close_bracket(s, &call);
        s->names = call ? 0 : inner;
        break;
    case GLUA_LEFT_BRACE: open_bracket(s, 0, true); break;
    case GLUA_RIGHT_BRACE:
        (void)close_bracket(s, &call);
        s->names = 0;
        break;
    default:
        s->names = 0;
        s->after_value = s->token->which == GLUA_ELLIPSIS;
    }
}

static void read_token(survey *s) {
    s->function->tokens++;
    bool was_member = s->after_member;
    s->after_member = false;
    switch (s->token->kind) {
    case GLUA_TOKEN_NAME:
        // A name after a value begins a new statement; after '.' it continues the chain.
        if (s->after_value) s->names = 0;
        s->after_member = was_member && !s->after_value;
        s->after_value = true;
        break;
    case GLUA_TOKEN_KEYWORD: read_keyword(s); break;
    case GLUA_TOKEN_SYMBOL: read_symbol(s, was_member); break;
    case GLUA_TOKEN_INVALID:
    case GLUA_TOKEN_END: break;
    default:
        s->names = 0;
        s->after_value = true;
    }
}

void glua_survey_names(const char *source, size_t count, glua_naming *result) {
    memset(result, 0, sizeof *result);
    survey s; // the lists are not cleared: entries are written before they are read
    s.result = result;
    s.names = s.depth = s.function_depth = s.block_depth = 0;
    s.after_value = s.after_member = false;
    s.functions[0] = (function){0};
    find_function(&s);
    glua_cursor cursor = glua_first_token(source, count);
    glua_token tokens[32];
    size_t read;
    do {
        read = glua_next_tokens(source, count, &cursor, tokens, sizeof tokens / sizeof *tokens);
        for (size_t index = 0; index < read && result->refused_names == 0; index++) {
            s.token = &tokens[index];
            read_token(&s);
        }
    } while (tokens[read - 1].kind != GLUA_TOKEN_END && result->refused_names == 0);
    while (result->refused_names == 0) {
        end_function(&s);
        if (s.function_depth-- == 0) break;
        find_function(&s);
    }
}
