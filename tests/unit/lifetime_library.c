/* lifetime_library.c - a library with LISTS circular lists */
/* SPDX-License-Identifier: Apache-2.0 */
struct link {
	struct link *next, *last;
};

int lifetime_function(int i);

#if LISTS > 0
static struct link first = {&first, &first};
static struct link others[] = {{&others[0], &others[0]}, {&others[1], &others[1]}};
#endif
#if LISTS > 10
#define LINKS(i)                                                                                   \
	{&many[i], &many[i]}, {&many[i + 1], &many[i + 1]}, {&many[i + 2], &many[i + 2]},          \
	{                                                                                          \
		&many[i + 3], &many[i + 3]                                                         \
	}
static struct link many[] = {LINKS(0), LINKS(4), LINKS(8), LINKS(12)};
#endif

int lifetime_function(int i)
{
#if LISTS > 0
	i += first.next != first.last || others[i & 1].next != others[i & 1].last;
#endif
#if LISTS > 10
	i += many[i & 15].next != many[i & 15].last;
#endif
	return i;
}
