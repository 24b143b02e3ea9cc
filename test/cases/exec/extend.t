Sign extension by moves and byte order.

-- case (s8)0x7f
-- asm
r1 = 127
r0 = -1
r0 = (s8)r1
exit
-- result
0x7f

-- case (s8)0x7f, 32 bits
-- asm
r1 = 127
r0 = -1
w0 = (s8)w1
exit
-- result
0x7f

-- case (s16)0x7f
-- asm
r1 = 127
r0 = -1
r0 = (s16)r1
exit
-- result
0x7f

-- case (s16)0x7f, 32 bits
-- asm
r1 = 127
r0 = -1
w0 = (s16)w1
exit
-- result
0x7f

-- case (s32)0x7f
-- asm
r1 = 127
r0 = -1
r0 = (s32)r1
exit
-- result
0x7f

-- case (s8)0x80
-- asm
r1 = 128
r0 = -1
r0 = (s8)r1
exit
-- result
0xffffffffffffff80

-- case (s8)0x80, 32 bits
-- asm
r1 = 128
r0 = -1
w0 = (s8)w1
exit
-- result
0xffffff80

-- case (s16)0x80
-- asm
r1 = 128
r0 = -1
r0 = (s16)r1
exit
-- result
0x80

-- case (s16)0x80, 32 bits
-- asm
r1 = 128
r0 = -1
w0 = (s16)w1
exit
-- result
0x80

-- case (s32)0x80
-- asm
r1 = 128
r0 = -1
r0 = (s32)r1
exit
-- result
0x80

-- case (s8)0x7fff
-- asm
r1 = 32767
r0 = -1
r0 = (s8)r1
exit
-- result
0xffffffffffffffff

-- case (s8)0x7fff, 32 bits
-- asm
r1 = 32767
r0 = -1
w0 = (s8)w1
exit
-- result
0xffffffff

-- case (s16)0x7fff
-- asm
r1 = 32767
r0 = -1
r0 = (s16)r1
exit
-- result
0x7fff

-- case (s16)0x7fff, 32 bits
-- asm
r1 = 32767
r0 = -1
w0 = (s16)w1
exit
-- result
0x7fff

-- case (s32)0x7fff
-- asm
r1 = 32767
r0 = -1
r0 = (s32)r1
exit
-- result
0x7fff

-- case (s8)0x8000
-- asm
r1 = 32768
r0 = -1
r0 = (s8)r1
exit
-- result
0x0

-- case (s8)0x8000, 32 bits
-- asm
r1 = 32768
r0 = -1
w0 = (s8)w1
exit
-- result
0x0

-- case (s16)0x8000
-- asm
r1 = 32768
r0 = -1
r0 = (s16)r1
exit
-- result
0xffffffffffff8000

-- case (s16)0x8000, 32 bits
-- asm
r1 = 32768
r0 = -1
w0 = (s16)w1
exit
-- result
0xffff8000

-- case (s32)0x8000
-- asm
r1 = 32768
r0 = -1
r0 = (s32)r1
exit
-- result
0x8000

-- case (s8)0x7fffffff
-- asm
r1 = 2147483647
r0 = -1
r0 = (s8)r1
exit
-- result
0xffffffffffffffff

-- case (s8)0x7fffffff, 32 bits
-- asm
r1 = 2147483647
r0 = -1
w0 = (s8)w1
exit
-- result
0xffffffff

-- case (s16)0x7fffffff
-- asm
r1 = 2147483647
r0 = -1
r0 = (s16)r1
exit
-- result
0xffffffffffffffff

-- case (s16)0x7fffffff, 32 bits
-- asm
r1 = 2147483647
r0 = -1
w0 = (s16)w1
exit
-- result
0xffffffff

-- case (s32)0x7fffffff
-- asm
r1 = 2147483647
r0 = -1
r0 = (s32)r1
exit
-- result
0x7fffffff

-- case (s8)0x80000000
-- asm
w1 = 0x80000000
r0 = -1
r0 = (s8)r1
exit
-- result
0x0

-- case (s8)0x80000000, 32 bits
-- asm
w1 = 0x80000000
r0 = -1
w0 = (s8)w1
exit
-- result
0x0

-- case (s16)0x80000000
-- asm
w1 = 0x80000000
r0 = -1
r0 = (s16)r1
exit
-- result
0x0

-- case (s16)0x80000000, 32 bits
-- asm
w1 = 0x80000000
r0 = -1
w0 = (s16)w1
exit
-- result
0x0

-- case (s32)0x80000000
-- asm
w1 = 0x80000000
r0 = -1
r0 = (s32)r1
exit
-- result
0xffffffff80000000

-- case (s8)0x123456789abcdef0
-- asm
r1 = 0x123456789abcdef0 ll
r0 = -1
r0 = (s8)r1
exit
-- result
0xfffffffffffffff0

-- case (s8)0x123456789abcdef0, 32 bits
-- asm
r1 = 0x123456789abcdef0 ll
r0 = -1
w0 = (s8)w1
exit
-- result
0xfffffff0

-- case (s16)0x123456789abcdef0
-- asm
r1 = 0x123456789abcdef0 ll
r0 = -1
r0 = (s16)r1
exit
-- result
0xffffffffffffdef0

-- case (s16)0x123456789abcdef0, 32 bits
-- asm
r1 = 0x123456789abcdef0 ll
r0 = -1
w0 = (s16)w1
exit
-- result
0xffffdef0

-- case (s32)0x123456789abcdef0
-- asm
r1 = 0x123456789abcdef0 ll
r0 = -1
r0 = (s32)r1
exit
-- result
0xffffffff9abcdef0

-- case (s8)0xffffffff7f7f7f7f
-- asm
r1 = 0xffffffff7f7f7f7f ll
r0 = -1
r0 = (s8)r1
exit
-- result
0x7f

-- case (s8)0xffffffff7f7f7f7f, 32 bits
-- asm
r1 = 0xffffffff7f7f7f7f ll
r0 = -1
w0 = (s8)w1
exit
-- result
0x7f

-- case (s16)0xffffffff7f7f7f7f
-- asm
r1 = 0xffffffff7f7f7f7f ll
r0 = -1
r0 = (s16)r1
exit
-- result
0x7f7f

-- case (s16)0xffffffff7f7f7f7f, 32 bits
-- asm
r1 = 0xffffffff7f7f7f7f ll
r0 = -1
w0 = (s16)w1
exit
-- result
0x7f7f

-- case (s32)0xffffffff7f7f7f7f
-- asm
r1 = 0xffffffff7f7f7f7f ll
r0 = -1
r0 = (s32)r1
exit
-- result
0x7f7f7f7f

-- case be16 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = be16 r0
exit
-- result
0xefcd

-- case bswap16 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = bswap16 r0
exit
-- result
0xefcd

-- case le16 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = le16 r0
exit
-- result
0xcdef

-- case be32 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = be32 r0
exit
-- result
0xefcdab89

-- case bswap32 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = bswap32 r0
exit
-- result
0xefcdab89

-- case le32 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = le32 r0
exit
-- result
0x89abcdef

-- case be64 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = be64 r0
exit
-- result
0xefcdab8967452301

-- case bswap64 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = bswap64 r0
exit
-- result
0xefcdab8967452301

-- case le64 0x123456789abcdef
-- asm
r0 = 0x123456789abcdef ll
r0 = le64 r0
exit
-- result
0x123456789abcdef

-- case be16 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = be16 r0
exit
-- result
0x1032

-- case bswap16 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = bswap16 r0
exit
-- result
0x1032

-- case le16 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = le16 r0
exit
-- result
0x3210

-- case be32 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = be32 r0
exit
-- result
0x10325476

-- case bswap32 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = bswap32 r0
exit
-- result
0x10325476

-- case le32 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = le32 r0
exit
-- result
0x76543210

-- case be64 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = be64 r0
exit
-- result
0x1032547698badcfe

-- case bswap64 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = bswap64 r0
exit
-- result
0x1032547698badcfe

-- case le64 0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = le64 r0
exit
-- result
0xfedcba9876543210

-- case be16 0x80
-- asm
r0 = 128
r0 = be16 r0
exit
-- result
0x8000

-- case bswap16 0x80
-- asm
r0 = 128
r0 = bswap16 r0
exit
-- result
0x8000

-- case le16 0x80
-- asm
r0 = 128
r0 = le16 r0
exit
-- result
0x80

-- case be32 0x80
-- asm
r0 = 128
r0 = be32 r0
exit
-- result
0x80000000

-- case bswap32 0x80
-- asm
r0 = 128
r0 = bswap32 r0
exit
-- result
0x80000000

-- case le32 0x80
-- asm
r0 = 128
r0 = le32 r0
exit
-- result
0x80

-- case be64 0x80
-- asm
r0 = 128
r0 = be64 r0
exit
-- result
0x8000000000000000

-- case bswap64 0x80
-- asm
r0 = 128
r0 = bswap64 r0
exit
-- result
0x8000000000000000

-- case le64 0x80
-- asm
r0 = 128
r0 = le64 r0
exit
-- result
0x80

-- case move of 32 bits clears the upper half
-- asm
r1 = 0xffffffffffffffff ll
r0 = 0x1122334455667788 ll
w0 = w1
exit
-- result
0xffffffff

-- case move onto itself, 32 bits
-- asm
r0 = 0x1122334455667788 ll
w0 = w0
exit
-- result
0x55667788

-- case immediate of 32 bits is not extended by sign
-- asm
r0 = -1
w0 = -2
exit
-- result
0xfffffffe

-- case 64-bit immediate, halves with sign bits
-- asm
r0 = 0x80000000ffffffff ll
exit
-- result
0x80000000ffffffff

-- case 64-bit immediate, upper half zero
-- asm
r0 = 0xffffffff ll
exit
-- result
0xffffffff

-- case 64-bit immediate, negative
-- asm
r0 = -2 ll
exit
-- result
0xfffffffffffffffe
