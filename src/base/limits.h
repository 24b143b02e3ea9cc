/* Every limit of weir, with its reason. Messages name the limit they enforce. */
#ifndef WEIR_BASE_LIMITS_H
#define WEIR_BASE_LIMITS_H

/* The kernel's own limit for privileged programs is 1,000,000 verified instructions; a program text
 * longer than that can't be accepted anywhere. */
#define PROG_MAX_INSNS 1000000u
#define PROG_MAX_SUBPROGS 256u /* kernel: BPF_MAX_SUBPROGS */
#define PROG_MAX_CALL_DEPTH 8u /* kernel: MAX_CALL_FRAMES */
#define PROG_MAX_TAIL_CALLS 33 /* kernel: MAX_TAIL_CALL_CNT, in one run */
#define PROG_TAIL_CALL_STACK_BYTES 256u /* kernel: MAX_BPF_STACK / 2, stack of the callers of a subprogram with tail calls */
/* Behind the verifier: a callback is called by a subprogram that stands for the helper. */
#define PROG_MAX_FRAMES (2 * PROG_MAX_CALL_DEPTH)
#define PROG_STACK_BYTES 512u  /* kernel: MAX_BPF_STACK, also for all frames of a chain of calls */
#define PROG_MAX_MAPS 64u      /* kernel: MAX_USED_MAPS */
#define VERIFY_MAX_INSNS 1000000u /* kernel: BPF_COMPLEXITY_LIMIT_INSNS, instructions walked */
#define VERIFY_MAX_BRANCHES \
	65536u                       /* pending branches, about 1.5 KiB each; the kernel has 8192 \
					(BPF_COMPLEXITY_LIMIT_JMP_SEQ) */
#define VERIFY_MAX_REFS 32u /* records of ring buffers and locks held at once on a path; each kept state has room for them */
#define VERIFY_PACKET_OFF_MAX 0xffff /* kernel: MAX_PACKET_OFF, bytes */
#define JIT_CODE_BYTES_MAX (64u << 20) /* arm64's B and BL reach 128 MiB, both ways */
#define CPU_SLOTS_MAX 256u             /* worker threads; one address range is reserved for each */
#define PERCPU_SLOT_BYTES (64u << 20)  /* address space reserved per slot; touched only where used \
					*/
#define MAP_TOUCH_BYTES_MAX \
	(256u << 20) /* preallocated maps up to this size get all their pages at creation */
/* Address space of one LPM trie. arm64 phones have 2^39 bytes in all, the thread sanitizer leaves about as much. */
#define LPM_RESERVE_BYTES_MAX (1ull << 36)
#define DIAG_MAX_ENTRIES 1000u             /* messages kept; the rest is only counted */
#define RULES_FILE_BYTES_MAX \
	(1u << 30)               /* positions are 32 bit; 1 GiB of rules is ~10 million rules */
#define RULES_CHAIN_NAME_MAX 28u /* kernel: XT_EXTENSION_MAXNAMELEN - 1 */
#define RULES_COMMENT_MAX 255u   /* kernel: XT_MAX_COMMENT_LEN - 1 */
#define RULES_JUMP_DEPTH_MAX \
	1024u /* nested jumps in a compiled program: writing one inside the other takes up to 1.5 KiB \
		 of stack each; real rule sets nest 6 deep */
/* Extension headers walked to find the upper protocol: the smallest has 8 bytes, so a 1,500-byte
 * packet holds 182. A packet with more, or with a header behind the offset below, counts as one
 * whose headers can't be parsed: a program may walk a bounded loop only, and reach packet bytes at
 * 16-bit offsets only. */
#define RULES_EXT_HEADERS_MAX 256u
#define RULES_HEADER_OFF_MAX 0xff00u
/* Of a BPF object. Compilers write a section for each program and a handful of symbols for each function. */
#define OBJ_FILE_BYTES_MAX (256u << 20)
#define OBJ_MAX_SECTIONS 65000u
#define OBJ_MAX_SYMBOLS (1u << 22)
#define OBJ_LICENSE_BYTES_MAX 127u /* kernel: what it reads of a license */
#define OBJ_MAX_MAPS 1024u
#define OBJ_MAX_PROGRAMS 4096u
#define OBJ_DATA_BYTES_MAX (256u << 20) /* one section of global data: the value of an array map */
#define IFACE_NAME_BYTES 16u /* kernel: IFNAMSIZ, with the NUL */

#endif
