// The tokens of Lua 5.4 source. Nothing here needs a state, raises or allocates.
#ifndef CLUATOKENS_H
#define CLUATOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GLUA_TOKEN_END 0
#define GLUA_TOKEN_NAME 1
#define GLUA_TOKEN_KEYWORD 2
#define GLUA_TOKEN_STRING 3
#define GLUA_TOKEN_INTEGER 4
#define GLUA_TOKEN_FLOAT 5
#define GLUA_TOKEN_SYMBOL 6
#define GLUA_TOKEN_INVALID 7 // input that Lua would reject; reading continues after it

// The reserved words, in alphabetical order.
enum glua_keyword {
    GLUA_AND, GLUA_BREAK, GLUA_DO, GLUA_ELSE, GLUA_ELSEIF, GLUA_END, GLUA_FALSE, GLUA_FOR, GLUA_FUNCTION, GLUA_GOTO,
    GLUA_IF, GLUA_IN, GLUA_LOCAL, GLUA_NIL, GLUA_NOT, GLUA_OR, GLUA_REPEAT, GLUA_RETURN, GLUA_THEN, GLUA_TRUE,
    GLUA_UNTIL, GLUA_WHILE,
};

// In the order of LuaToken.Symbol and LuaTokenKind.
enum glua_symbol {
    GLUA_PLUS, GLUA_MINUS, GLUA_STAR, GLUA_SLASH, GLUA_DOUBLE_SLASH, GLUA_PERCENT, GLUA_CARET, GLUA_HASH,
    GLUA_AMPERSAND, GLUA_TILDE, GLUA_PIPE, GLUA_SHIFT_LEFT, GLUA_SHIFT_RIGHT, GLUA_EQUAL, GLUA_NOT_EQUAL,
    GLUA_LESS_OR_EQUAL, GLUA_GREATER_OR_EQUAL, GLUA_LESS, GLUA_GREATER, GLUA_ASSIGN, GLUA_LEFT_PARENTHESIS,
    GLUA_RIGHT_PARENTHESIS, GLUA_LEFT_BRACE, GLUA_RIGHT_BRACE, GLUA_LEFT_BRACKET, GLUA_RIGHT_BRACKET,
    GLUA_DOUBLE_COLON, GLUA_SEMICOLON, GLUA_COLON, GLUA_COMMA, GLUA_DOT, GLUA_CONCATENATE, GLUA_ELLIPSIS,
};

// A position between two tokens. Lines and columns are counted from 1. A column is one character, and a byte that is
// not part of well-formed UTF-8 is a separate character.
typedef struct glua_cursor {
    size_t at;
    size_t line;
    size_t line_start; // where the line would begin if each of its characters so far had one byte: the column is
                       // `at` - `line_start` + 1
    bool unfinished; // the text ended inside a long comment, which has not been reported yet
} glua_cursor;

typedef struct glua_token {
    int32_t kind;    // a GLUA_TOKEN
    int32_t which;   // the keyword or the symbol
    size_t start;    // the token's bytes
    size_t end;
    size_t line;     // of the first character
    size_t column;
    size_t end_line; // just after the last character
    size_t end_column;
    int64_t integer; // the value of an integer
} glua_token;

// The position before the first token: after a byte order mark and a first line that begins with '#'.
glua_cursor glua_first_token(const char *source, size_t count);
glua_token glua_next_token(const char *source, size_t count, glua_cursor *cursor);
// Reads the next tokens, at most `capacity` and up to the end of the text, for a caller that reads all of them. Returns
// their number. Fields that are not for a token's kind are left unchanged.
size_t glua_next_tokens(const char *source, size_t count, glua_cursor *cursor, glua_token *tokens, size_t capacity);
// Writes the value of a string token, which is shorter than the token. Returns its number of bytes.
size_t glua_token_value(const char *source, const glua_token *token, uint8_t *value);
// The number of bytes of the character that begins at a byte of the text, which is one column; 1 if it is not
// well-formed UTF-8.
size_t glua_character_length(const char *source, size_t count, size_t at);

#ifdef __cplusplus
}
#endif

#endif
