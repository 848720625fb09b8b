#pragma once
// Lists of types whose members are written in files of their own. Each file describes its type in one
// function without arguments; one line in the list is then all that a new type needs, and no header.

/// Appends what `function` returns to the vector `list`. Declares the function, which another file of the
/// same namespace defines; where none does, the linker says so.
#define MONOCOQUE_ADD_TYPE(list, function)        \
  do {                                            \
    extern decltype(list)::value_type function(); \
    (list).push_back(function());                 \
  } while (false)
