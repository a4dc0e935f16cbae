// Tokens of Lua 5.4, read exactly as llex.c reads them: any source that the parser accepts is split in the same way
// here. The guards of the parser, the source maps and the positions of errors all use this tokenizer.

#include "CLuaTokens.h"

#include <string.h>

#define END (-1)

typedef struct scanner {
    const unsigned char *start;
    const unsigned char *at;
    const unsigned char *end;
    size_t line;
    const unsigned char *line_start; // as in the cursor
    bool unfinished;
    unsigned char *value; // destination for the bytes of a string; NULL: none
    size_t value_count;
} scanner;

// The classes of a byte, which may have several of them.
enum {
    LETTER = 1, // including '_'
    DIGIT = 2,
    HEXADECIMAL = 4,
    BLANK = 8,
    LINE_END = 16,
    SPECIAL = 32, // may end a comment or a string, or is not one character of one column
};

static const unsigned char classes[256] = {
    ['0' ... '9'] = DIGIT | HEXADECIMAL,
    ['a' ... 'f'] = LETTER | HEXADECIMAL,
    ['g' ... 'z'] = LETTER,
    ['A' ... 'F'] = LETTER | HEXADECIMAL,
    ['G' ... 'Z'] = LETTER,
    ['_'] = LETTER,
    [' '] = BLANK,
    ['\t'] = BLANK,
    ['\v'] = BLANK,
    ['\f'] = BLANK,
    ['\n'] = LINE_END | SPECIAL,
    ['\r'] = LINE_END | SPECIAL,
    ['"'] = SPECIAL,
    ['\''] = SPECIAL,
    ['\\'] = SPECIAL,
    [']'] = SPECIAL,
    [0x80 ... 0xFF] = SPECIAL,
};

static inline int peek(const scanner *s, size_t ahead) {
    return ahead < (size_t)(s->end - s->at) ? s->at[ahead] : END;
}

// Whether a byte, or END, is in one of these classes.
static inline bool is(int c, int kinds) { return c != END && (classes[c] & kinds) != 0; }

static inline int hexadecimal(int c) {
    if (!is(c, HEXADECIMAL)) return -1;
    return is(c, DIGIT) ? c - '0' : (c | 0x20) - 'a' + 10;
}

// Skips ASCII bytes that are not line endings.
static inline void step(scanner *s, size_t count) { s->at += count; }

// The end of a run of such bytes.
static inline const unsigned char *skip(const scanner *s, int kinds) {
    const unsigned char *at = s->at, *end = s->end;
    while (at < end && (classes[*at] & kinds) != 0) at++;
    return at;
}

static inline const unsigned char *skip_to(const scanner *s, int kinds) {
    const unsigned char *at = s->at, *end = s->end;
    while (at < end && (classes[*at] & kinds) == 0) at++;
    return at;
}

// "\r\n" and "\n\r" are one line ending.
static void step_over_line_end(scanner *s) {
    int first = peek(s, 0), second = peek(s, 1);
    s->at += is(second, LINE_END) && second != first ? 2 : 1;
    s->line++;
    s->line_start = s->at;
}

// The number of bytes of the character above ASCII that begins here; 1 if it is not well-formed UTF-8.
static size_t scalar_length(const scanner *s) {
    int lead = peek(s, 0);
    // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    size_t length = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (size_t at = 1; at < length; at++) {
        int c = peek(s, at);
        if (c < (at == 1 ? low : 0x80) || c > (at == 1 ? high : 0xBF)) return 1;
    }
    return length;
}

static inline void put(scanner *s, int byte) {
    if (s->value != NULL) s->value[s->value_count++] = (unsigned char)byte;
}

// Skips one character, which may be a line ending or invalid UTF-8. `keeps`: it belongs to a string.
static void step_over_character(scanner *s, bool keeps) {
    int c = peek(s, 0);
    if (is(c, LINE_END)) {
        step_over_line_end(s);
        if (keeps) put(s, '\n');
        return;
    }
    size_t length = c < 0x80 ? 1 : scalar_length(s);
    for (size_t at = 0; keeps && at < length; at++) put(s, peek(s, at));
    s->at += length;
    s->line_start += length - 1; // one column
}

// Skips the contents of a string up to the next special byte.
static inline void step_over_plain_text(scanner *s) {
    const unsigned char *end = skip_to(s, SPECIAL);
    if (s->value != NULL && end != s->at) {
        memcpy(s->value + s->value_count, s->at, (size_t)(end - s->at));
        s->value_count += (size_t)(end - s->at);
    }
    s->at = end;
}

// Long brackets

// The number of '=' in the opening bracket that begins at '[' here, or -1.
static ptrdiff_t bracket_level(const scanner *s) {
    size_t level = 0;
    while (peek(s, 1 + level) == '=') level++;
    return peek(s, 1 + level) == '[' ? (ptrdiff_t)level : -1;
}

// Reads from '[' here to the closing bracket of that level; false if the text ends first.
static bool scan_long_bracket(scanner *s, size_t level) {
    step(s, level + 2);
    if (is(peek(s, 0), LINE_END)) step_over_line_end(s);
    for (;;) {
        step_over_plain_text(s);
        int c = peek(s, 0);
        if (c == END) return false;
        if (c != ']') {
            step_over_character(s, true);
            continue;
        }
        size_t equals = 0;
        step(s, 1);
        while (peek(s, 0) == '=') step(s, 1), equals++;
        if (equals == level && peek(s, 0) == ']') {
            step(s, 1);
            return true;
        }
        put(s, ']');
        for (; equals > 0; equals--) put(s, '=');
    }
}

// Quoted strings

static bool scan_hexadecimal_escape(scanner *s) {
    int value = 0;
    for (int digits = 0; digits < 2; digits++) {
        int digit = hexadecimal(peek(s, 0));
        if (digit < 0) return false;
        value = value * 16 + digit;
        step(s, 1);
    }
    put(s, value);
    return true;
}

static bool scan_decimal_escape(scanner *s) {
    int value = 0;
    for (int digits = 0; digits < 3 && is(peek(s, 0), DIGIT); digits++) {
        value = value * 10 + (peek(s, 0) - '0');
        step(s, 1);
    }
    if (value > 255) return false;
    put(s, value);
    return true;
}

// UTF-8 as originally defined, with up to six bytes for 31 bits, as Lua writes it.
static void put_utf8(scanner *s, uint32_t code) {
    if (code < 0x80) {
        put(s, (int)code);
        return;
    }
    unsigned char reversed[6];
    int count = 0;
    uint32_t room = 0x3F; // what fits in the lead byte besides its mark
    do {
        reversed[count++] = (unsigned char)(0x80 | (code & 0x3F));
        code >>= 6;
        room >>= 1;
    } while (code > room);
    reversed[count++] = (unsigned char)((~room << 1) | code);
    while (count > 0) put(s, reversed[--count]);
}

static bool scan_unicode_escape(scanner *s) {
    if (peek(s, 0) != '{' || hexadecimal(peek(s, 1)) < 0) return false;
    step(s, 1);
    uint32_t code = 0;
    bool fits = true;
    for (int digit; (digit = hexadecimal(peek(s, 0))) >= 0; step(s, 1)) {
        fits = fits && code <= (0x7FFFFFFFu >> 4);
        code = code << 4 | (uint32_t)digit;
    }
    if (!fits || peek(s, 0) != '}') return false;
    step(s, 1);
    put_utf8(s, code);
    return true;
}

// Reads what follows a backslash. Returns false if it is not a Lua escape; reading continues after the part that is
// one.
static bool scan_escape(scanner *s) {
    static const char letters[] = "abfnrtv\\\"'", values[] = "\a\b\f\n\r\t\v\\\"'";
    int c = peek(s, 0);
    if (c == END) return false;
    const char *place = c == 0 ? NULL : strchr(letters, c);
    if (place != NULL) {
        put(s, values[place - letters]);
        step(s, 1);
        return true;
    }
    if (is(c, LINE_END)) {
        step_over_character(s, true);
        return true;
    }
    if (is(c, DIGIT)) return scan_decimal_escape(s);
    if (c != 'x' && c != 'u' && c != 'z') {
        step_over_character(s, false);
        return false;
    }
    step(s, 1);
    if (c == 'x') return scan_hexadecimal_escape(s);
    if (c == 'u') return scan_unicode_escape(s);
    for (;;) {
        c = peek(s, 0);
        if (is(c, LINE_END)) step_over_line_end(s);
        else if (is(c, BLANK)) step(s, 1);
        else return true;
    }
}

// A string that is not closed on its line ends there. One with an invalid escape is read to its closing quote, so that
// the text after it is read as intended.
static bool scan_quoted(scanner *s, int quote) {
    bool valid = true;
    step(s, 1);
    for (;;) {
        step_over_plain_text(s);
        int c = peek(s, 0);
        if (c == END || is(c, LINE_END)) return false;
        if (c == quote) {
            step(s, 1);
            return valid;
        }
        if (c == '\\') {
            step(s, 1);
            if (!scan_escape(s)) valid = false;
        } else {
            step_over_character(s, true);
        }
    }
}

// Numerals

static size_t skip_digits(const unsigned char *text, size_t count, size_t at, bool hexadecimals) {
    int kinds = hexadecimals ? HEXADECIMAL : DIGIT;
    while (at < count && is(text[at], kinds)) at++;
    return at;
}

// The kind of a numeral, and the value of an integer.
static int32_t classify_numeral(const unsigned char *text, size_t count, int64_t *integer) {
    bool hex = count > 1 && (text[1] | 0x20) == 'x';
    size_t first = hex ? 2 : 0;
    size_t at = skip_digits(text, count, first, hex);
    size_t digits = at - first;
    if (at == count && digits > 0) {
        uint64_t value = 0;
        for (size_t place = first; place < count; place++) {
            unsigned digit = (unsigned)hexadecimal(text[place]);
            // Hexadecimal integers wrap around; a decimal one that does not fit is a float.
            if (!hex && value > ((uint64_t)INT64_MAX - digit) / 10) return GLUA_TOKEN_FLOAT;
            value = value * (hex ? 16 : 10) + digit;
        }
        *integer = (int64_t)value;
        return GLUA_TOKEN_INTEGER;
    }
    if (at < count && text[at] == '.') {
        size_t end = skip_digits(text, count, at + 1, hex);
        digits += end - at - 1;
        at = end;
    }
    if (digits == 0) return GLUA_TOKEN_INVALID;
    if (at < count && (text[at] | 0x20) == (hex ? 'p' : 'e')) {
        at++;
        if (at < count && (text[at] == '+' || text[at] == '-')) at++;
        size_t end = skip_digits(text, count, at, false);
        if (end == at) return GLUA_TOKEN_INVALID;
        at = end;
    }
    return at == count ? GLUA_TOKEN_FLOAT : GLUA_TOKEN_INVALID;
}

// Like Lua, reads everything that could belong to a numeral, and checks only then whether it is one.
static int32_t scan_numeral(scanner *s, int64_t *integer) {
    const unsigned char *start = s->at;
    int exponent = 'e';
    if (peek(s, 0) == '0' && (peek(s, 1) | 0x20) == 'x') {
        exponent = 'p';
        step(s, 2);
    }
    for (;;) {
        int c = peek(s, 0);
        if (c != END && (c | 0x20) == exponent) {
            step(s, 1);
            if (peek(s, 0) == '+' || peek(s, 0) == '-') step(s, 1);
        } else if (is(c, HEXADECIMAL) || c == '.') {
            step(s, 1);
        } else {
            break;
        }
    }
    const unsigned char *end = s->at;
    s->at = skip(s, LETTER | DIGIT);
    if (s->at != end) return GLUA_TOKEN_INVALID; // a letter directly follows the number
    return classify_numeral(start, (size_t)(end - start), integer);
}

// Names and symbols

static const struct {
    char text[9];
    unsigned char length;
} keywords[] = {
    {"and", 3}, {"break", 5}, {"do", 2}, {"else", 4}, {"elseif", 6}, {"end", 3}, {"false", 5}, {"for", 3},
    {"function", 8}, {"goto", 4}, {"if", 2}, {"in", 2}, {"local", 5}, {"nil", 3}, {"not", 3}, {"or", 2}, {"repeat", 6},
    {"return", 6}, {"then", 4}, {"true", 4}, {"until", 5}, {"while", 5},
};

// The index of the first keyword with this first letter; past the last keyword if no keyword starts with it.
static inline size_t first_keyword(unsigned char letter) {
    switch (letter) {
    case 'a': return GLUA_AND;
    case 'b': return GLUA_BREAK;
    case 'd': return GLUA_DO;
    case 'e': return GLUA_ELSE;
    case 'f': return GLUA_FALSE;
    case 'g': return GLUA_GOTO;
    case 'i': return GLUA_IF;
    case 'l': return GLUA_LOCAL;
    case 'n': return GLUA_NIL;
    case 'o': return GLUA_OR;
    case 'r': return GLUA_REPEAT;
    case 't': return GLUA_THEN;
    case 'u': return GLUA_UNTIL;
    case 'w': return GLUA_WHILE;
    default: return sizeof keywords / sizeof *keywords;
    }
}

static int32_t scan_name(scanner *s, int32_t *which) {
    const unsigned char *name = s->at;
    s->at = skip(s, LETTER | DIGIT);
    size_t length = (size_t)(s->at - name);
    for (size_t place = first_keyword(*name); place < sizeof keywords / sizeof *keywords; place++) {
        if (keywords[place].text[0] != (char)*name) break;
        if (keywords[place].length != length || memcmp(keywords[place].text, name, length) != 0) continue;
        *which = (int32_t)place;
        return GLUA_TOKEN_KEYWORD;
    }
    return GLUA_TOKEN_NAME;
}

// The longest symbol that begins here, or -1, and its length.
static int32_t find_symbol(const scanner *s, size_t *length) {
    int second = peek(s, 1);
    *length = 1;
#define PAIR(other, symbol) \
    if (second == (other)) return *length = 2, (symbol)
    switch (peek(s, 0)) {
    case '+': return GLUA_PLUS;
    case '-': return GLUA_MINUS;
    case '*': return GLUA_STAR;
    case '/': PAIR('/', GLUA_DOUBLE_SLASH); return GLUA_SLASH;
    case '%': return GLUA_PERCENT;
    case '^': return GLUA_CARET;
    case '#': return GLUA_HASH;
    case '&': return GLUA_AMPERSAND;
    case '~': PAIR('=', GLUA_NOT_EQUAL); return GLUA_TILDE;
    case '|': return GLUA_PIPE;
    case '<': PAIR('<', GLUA_SHIFT_LEFT); PAIR('=', GLUA_LESS_OR_EQUAL); return GLUA_LESS;
    case '>': PAIR('>', GLUA_SHIFT_RIGHT); PAIR('=', GLUA_GREATER_OR_EQUAL); return GLUA_GREATER;
    case '=': PAIR('=', GLUA_EQUAL); return GLUA_ASSIGN;
    case '(': return GLUA_LEFT_PARENTHESIS;
    case ')': return GLUA_RIGHT_PARENTHESIS;
    case '{': return GLUA_LEFT_BRACE;
    case '}': return GLUA_RIGHT_BRACE;
    case '[': return GLUA_LEFT_BRACKET;
    case ']': return GLUA_RIGHT_BRACKET;
    case ':': PAIR(':', GLUA_DOUBLE_COLON); return GLUA_COLON;
    case ';': return GLUA_SEMICOLON;
    case ',': return GLUA_COMMA;
    case '.':
        if (second == '.' && peek(s, 2) == '.') return *length = 3, GLUA_ELLIPSIS;
        PAIR('.', GLUA_CONCATENATE);
        return GLUA_DOT;
    default: return -1;
    }
#undef PAIR
}

static int32_t scan_symbol(scanner *s, int32_t *which) {
    size_t length;
    *which = find_symbol(s, &length);
    if (*which < 0) {
        step_over_character(s, false);
        return GLUA_TOKEN_INVALID;
    }
    step(s, length);
    return GLUA_TOKEN_SYMBOL;
}

static void skip_to_end_of_line(scanner *s) {
    for (;;) {
        s->at = skip_to(s, SPECIAL);
        if (s->at == s->end || is(*s->at, LINE_END)) return;
        step_over_character(s, false);
    }
}

static void skip_blanks(scanner *s) {
    for (;;) {
        s->at = skip(s, BLANK);
        int c = peek(s, 0);
        if (is(c, LINE_END)) {
            step_over_line_end(s);
        } else if (c == '-' && peek(s, 1) == '-') {
            step(s, 2);
            ptrdiff_t level = peek(s, 0) == '[' ? bracket_level(s) : -1;
            if (level < 0) skip_to_end_of_line(s);
            else if (!scan_long_bracket(s, (size_t)level)) s->unfinished = true;
        } else {
            return;
        }
    }
}

static int32_t scan(scanner *s, glua_token *token) {
    int c = peek(s, 0);
    if (c == END) {
        // An unclosed comment is an error at the end of the text.
        bool unfinished = s->unfinished;
        s->unfinished = false;
        return unfinished ? GLUA_TOKEN_INVALID : GLUA_TOKEN_END;
    }
    if (is(c, LETTER)) return scan_name(s, &token->which);
    if (is(c, DIGIT) || (c == '.' && is(peek(s, 1), DIGIT))) return scan_numeral(s, &token->integer);
    if (c == '"' || c == '\'') return scan_quoted(s, c) ? GLUA_TOKEN_STRING : GLUA_TOKEN_INVALID;
    if (c == '[') {
        ptrdiff_t level = bracket_level(s);
        if (level >= 0) return scan_long_bracket(s, (size_t)level) ? GLUA_TOKEN_STRING : GLUA_TOKEN_INVALID;
        if (peek(s, 1) == '=') {
            step(s, 1);
            while (peek(s, 0) == '=') step(s, 1);
            return GLUA_TOKEN_INVALID;
        }
    }
    return scan_symbol(s, &token->which);
}

// Entry points

static scanner resume(const char *source, size_t count, const glua_cursor *cursor) {
    const unsigned char *start = (const unsigned char *)(source != NULL ? source : "");
    return (scanner){start, start + cursor->at, start + count, cursor->line, start + cursor->line_start,
                     cursor->unfinished, NULL, 0};
}

static void suspend(const scanner *s, glua_cursor *cursor) {
    cursor->at = (size_t)(s->at - s->start);
    cursor->line = s->line;
    cursor->line_start = (size_t)(s->line_start - s->start);
    cursor->unfinished = s->unfinished;
}

static inline size_t column(const scanner *s) { return (size_t)(s->at - s->line_start) + 1; }

glua_cursor glua_first_token(const char *source, size_t count) {
    glua_cursor cursor = {0, 1, 0, false};
    // No column: an editor does not show a byte order mark.
    if (count >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0) cursor.at = cursor.line_start = 3;
    if (cursor.at == count || source[cursor.at] != '#') return cursor;
    // Skipped like in luaL_loadfilex: up to a line feed, regardless of other line endings before it.
    scanner s = resume(source, count, &cursor);
    while (peek(&s, 0) != END && peek(&s, 0) != '\n') {
        size_t length = peek(&s, 0) < 0x80 ? 1 : scalar_length(&s);
        s.at += length;
        s.line_start += length - 1;
    }
    suspend(&s, &cursor);
    return cursor;
}

static inline void read_token(scanner *s, glua_token *token) {
    skip_blanks(s);
    token->start = (size_t)(s->at - s->start);
    token->line = s->line;
    token->column = column(s);
    token->kind = scan(s, token);
    token->end = (size_t)(s->at - s->start);
    token->end_line = s->line;
    token->end_column = column(s);
}

glua_token glua_next_token(const char *source, size_t count, glua_cursor *cursor) {
    scanner s = resume(source, count, cursor);
    glua_token token = {0};
    read_token(&s, &token);
    suspend(&s, cursor);
    return token;
}

size_t glua_next_tokens(const char *source, size_t count, glua_cursor *cursor, glua_token *tokens, size_t capacity) {
    scanner s = resume(source, count, cursor);
    size_t read = 0;
    while (read < capacity) {
        read_token(&s, &tokens[read]);
        if (tokens[read++].kind == GLUA_TOKEN_END) break;
    }
    suspend(&s, cursor);
    return read;
}

size_t glua_token_value(const char *source, const glua_token *token, uint8_t *value) {
    glua_cursor cursor = {token->start, 1, token->start, false};
    scanner s = resume(source, token->end, &cursor);
    s.value = value;
    int c = peek(&s, 0);
    if (c == '[') (void)scan_long_bracket(&s, (size_t)bracket_level(&s));
    else (void)scan_quoted(&s, c);
    return s.value_count;
}

size_t glua_character_length(const char *source, size_t count, size_t at) {
    glua_cursor cursor = {at, 1, at, false};
    scanner s = resume(source, count, &cursor);
    return scalar_length(&s);
}
