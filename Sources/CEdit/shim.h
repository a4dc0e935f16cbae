#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H

#include <editline/readline.h>

// Swift 6 rejects access to the library's global variables, so these functions set and read them.

/// Sets the function that returns the completions for the word between two offsets of the line. Dots and colons do not
/// end a word, so that a chain of names is one word.
static inline void edit_set_completer(char **(*completer)(const char *, int, int)) {
    rl_attempted_completion_function = (rl_completion_func_t *)completer;
    rl_completer_word_break_characters = " \t\n\"\\'`@$><=;|&{}()[],+-*/%^#~";
    rl_completion_append_character = '\0';
}

/// Leaves signals to the program. Must be called before the library is first used, because it reads the setting then.
static inline void edit_leave_signals(void) { rl_catch_signals = 0; }

/// Keeps the library from completing file names if the completer has no completions.
static inline void edit_end_completion(void) { rl_attempted_completion_over = 1; }

/// The line that is being edited, during completion. The library owns it.
static inline const char *edit_line(void) { return rl_line_buffer; }

#endif
