/* The helpers that belong to no program type. Whether weir has one is helper/'s business: a number
 * here only says that the type is no reason to refuse it. */
#include "progtype/types.h"

static const u16 base_set[] = {
	1,   /* map_lookup_elem */
	2,   /* map_update_elem */
	3,   /* map_delete_elem */
	5,   /* ktime_get_ns */
	6,   /* trace_printk */
	7,   /* get_prandom_u32 */
	8,   /* get_smp_processor_id */
	12,  /* tail_call */
	14,  /* get_current_pid_tgid */
	15,  /* get_current_uid_gid */
	16,  /* get_current_comm */
	17,  /* get_cgroup_classid */
	22,  /* perf_event_read */
	35,  /* get_current_task */
	37,  /* current_task_under_cgroup */
	42,  /* get_numa_node_id */
	55,  /* perf_event_read_value */
	80,  /* get_current_cgroup_id */
	87,  /* map_push_elem */
	88,  /* map_pop_elem */
	89,  /* map_peek_elem */
	93,  /* spin_lock */
	94,  /* spin_unlock */
	105, /* strtol */
	106, /* strtoul */
	109, /* send_signal */
	112, /* probe_read_user */
	113, /* probe_read_kernel */
	114, /* probe_read_user_str */
	115, /* probe_read_kernel_str */
	117, /* send_signal_thread */
	118, /* jiffies64 */
	120, /* get_ns_current_pid_tgid */
	123, /* get_current_ancestor_cgroup_id */
	125, /* ktime_get_boot_ns */
	130, /* ringbuf_output */
	131, /* ringbuf_reserve */
	132, /* ringbuf_submit */
	133, /* ringbuf_discard */
	134, /* ringbuf_query */
	141, /* get_task_stack */
	148, /* copy_from_user */
	149, /* snprintf_btf */
	153, /* per_cpu_ptr */
	154, /* this_cpu_ptr */
	156, /* task_storage_get */
	157, /* task_storage_delete */
	158, /* get_current_task_btf */
	164, /* for_each_map_elem */
	165, /* snprintf */
	169, /* timer_init */
	170, /* timer_set_callback */
	171, /* timer_start */
	172, /* timer_cancel */
	175, /* task_pt_regs */
	176, /* get_branch_snapshot */
	177, /* trace_vprintk */
	180, /* find_vma */
	181, /* loop */
	182, /* strncmp */
	191, /* copy_from_user_task */
	194, /* kptr_xchg */
	195, /* map_lookup_percpu_elem */
	197, /* dynptr_from_mem */
	198, /* ringbuf_reserve_dynptr */
	199, /* ringbuf_submit_dynptr */
	200, /* ringbuf_discard_dynptr */
	201, /* dynptr_read */
	202, /* dynptr_write */
	203, /* dynptr_data */
	208, /* ktime_get_tai_ns */
	209, /* user_ringbuf_drain */
	210, /* cgrp_storage_get */
	211, /* cgrp_storage_delete */
};

static const u16 socket_set[] = {
	136, /* skc_to_tcp6_sock */
	137, /* skc_to_tcp_sock */
	138, /* skc_to_tcp_timewait_sock */
	139, /* skc_to_tcp_request_sock */
	140, /* skc_to_udp6_sock */
	160, /* ktime_get_coarse_ns */
	178, /* skc_to_unix_sock */
	196, /* skc_to_mptcp_sock */
};

bool helper_in_base_set(u32 helper_id)
{
	bool kfunc = helper_id >= KFUNC_FIRST && helper_id != KFUNC_dynptr_from_skb &&
		     helper_id != KFUNC_dynptr_from_xdp;

	return kfunc || helper_in(base_set, ARRAY_LEN(base_set), helper_id);
}

bool helper_in_socket_set(u32 helper_id)
{
	return helper_in(socket_set, ARRAY_LEN(socket_set), helper_id) ||
	       helper_in_base_set(helper_id);
}
