/// Filters of system calls, in the language of seccomp.
#ifndef DEADWAX_FILTER_H
#define DEADWAX_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Numbers of calls mean nothing without the architecture.
#define BEGIN_FILTER \
  FIELD(arch), EQUAL(ARCHITECTURE, 1), BPF_STMT(BPF_JMP | BPF_JA, 1), RESULT(SECCOMP_RET_KILL_PROCESS), FIELD(nr)

// The filter is a list of blocks, one for each call. A block begins with the number of the call in the accumulator;
// if it is another call, the block is skipped, so each block must end with a result.
#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
// The lower half of an argument: all that the kernel looks at if it is an int. Both processors are little-endian.
#define ARGUMENT(index) FIELD(args[index])
#define UPPER_HALF(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]) + 4)
#define RESULT(result) BPF_STMT(BPF_RET | BPF_K, (result))
#define REFUSE(code) RESULT(SECCOMP_RET_ERRNO | (code))
#define WITH(bits, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 0, (otherwise))
#define EQUAL(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (otherwise))
#define UNEQUAL(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), (otherwise), 0)
#define BELOW(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(value), (otherwise), 0)
#define WITHOUT(bits, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), (otherwise), 0)

#define ALLOW(call) EQUAL(__NR_##call, 1), RESULT(SECCOMP_RET_ALLOW)
#define ABSENT(call) EQUAL(__NR_##call, 1), REFUSE(ENOSYS)
#define ALLOW_IF(call, index, test) \
  EQUAL(__NR_##call, 4), ARGUMENT(index), test, RESULT(SECCOMP_RET_ALLOW), REFUSE(EPERM)

#endif

#endif
