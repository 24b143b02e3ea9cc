/* Questions about the types of a real kernel. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define CORE __attribute__((preserve_access_index))
#define field(expr, kind) __builtin_preserve_field_info(expr, kind)
#define type_info(type, kind) __builtin_preserve_type_info(*(type *)0, kind)
#define enum_info(type, value, kind) __builtin_preserve_enum_value(*(type *)value, kind)

struct net_device {
	int ifindex;
	u32 mtu;
	char name[16];
} CORE;

struct sk_buff {
	u32 len;
	struct net_device *dev;
	u8 cloned : 1, pkt_type : 3;
	u16 protocol;
	u32 mark;
	u32 not_there;
} CORE;

struct task_struct {
	int pid, tgid;
	char comm[16];
	u64 start_time;
} CORE;

struct list_head {
	struct list_head *next, *prev;
} CORE;

struct module {
	struct list_head list;
	char name[56];
} CORE;

enum bpf_map_type { BPF_MAP_TYPE_UNSPEC, BPF_MAP_TYPE_RINGBUF = 1, BPF_MAP_TYPE_NEVER };

SEC("socket") int fields(struct sk_buff *skb)
{
	return skb->len + skb->protocol + skb->mark + skb->dev->ifindex + skb->dev->name[3] + (int)skb->dev->mtu;
}

SEC("socket") int tasks(struct task_struct *t)
{
	return t->pid + t->tgid + t->comm[2] + (int)t->start_time;
}

SEC("socket") int lists(struct module *m)
{
	return (int)(u64)m->list.next->prev + m->name[1];
}

SEC("socket") u64 numbers(struct sk_buff *skb)
{
	u64 n = field(skb->not_there, 2);

	n = n * 3 + field(skb->dev->name, 1);
	n = n * 3 + field(skb->pkt_type, 0) + field(skb->pkt_type, 1) + field(skb->pkt_type, 4) + field(skb->pkt_type, 5);
	n = n * 3 + field(skb->pkt_type, 3) + field(skb->cloned, 2);
	n = n * 3 + type_info(struct sk_buff, 0) + type_info(struct task_struct, 1) + type_info(union never_there, 0);
	n = n * 3 + enum_info(enum bpf_map_type, BPF_MAP_TYPE_RINGBUF, 1) + enum_info(enum bpf_map_type, BPF_MAP_TYPE_NEVER, 0);
	return n;
}

char LICENSE[] SEC("license") = "GPL";
