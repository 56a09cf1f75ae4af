#include "CHeap.h"

#include <malloc.h>

void dw_keep_heap_small(void) {
  // Each of eight areas a core would keep the most that its threads have ever needed at once.
  (void)mallopt(M_ARENA_MAX, 2);
  // By itself this limit grows to the size of the largest block that was freed, up to 32 MiB, and smaller blocks stay.
  (void)mallopt(M_MMAP_THRESHOLD, 256 << 10);
  (void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

void dw_trim_heap(void) { (void)malloc_trim(0); }
