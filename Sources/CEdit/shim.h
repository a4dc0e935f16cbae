#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H

#include <editline/readline.h>

// Swift 6 does not touch the library's global variables, so these functions set and read them.

/// Sets the function that answers what the word between two offsets of the line can become. Dots and colons end no word,
/// so that a chain of names is one.
static inline void edit_set_completer(char **(*completer)(const char *, int, int)) {
    rl_attempted_completion_function = (rl_completion_func_t *)completer;
    rl_completer_word_break_characters = " \t\n\"\\'`@$><=;|&{}()[],+-*/%^#~";
    rl_completion_append_character = '\0';
}

/// Leaves signals to the program. Before the library is first used: it looks then.
static inline void edit_leave_signals(void) { rl_catch_signals = 0; }

/// Keeps the library from completing file names where the completer had no answer.
static inline void edit_end_completion(void) { rl_attempted_completion_over = 1; }

/// The line that is being edited, while it is completed; the library owns it.
static inline const char *edit_line(void) { return rl_line_buffer; }

#endif
