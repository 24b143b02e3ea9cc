/* The integer names used inside weir, and the few macros that every layer needs. */
#ifndef WEIR_BASE_TYPES_H
#define WEIR_BASE_TYPES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
/* Arguments that a function has for the sake of its type only. */
#define UNUSED_ARG __attribute__((unused))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* Ends a switch that handles every value of its enum. */
#define UNREACHABLE() assert_unreachable(__FILE__, __LINE__)

_Noreturn void assert_unreachable(const char *file, int line);

#endif
