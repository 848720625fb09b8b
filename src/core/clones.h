#pragma once
// One build serves old and new processors: functions marked so are compiled for both, chosen when the program
// starts. By level of the instruction set: a name such as haswell would mean that processor only.

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__AVX2__)
#define MONOCOQUE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define MONOCOQUE_CLONES
#endif
