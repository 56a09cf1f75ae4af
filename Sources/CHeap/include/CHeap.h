/// What the C library keeps of the memory that a program has freed.
#ifndef DEADWAX_CHEAP_H
#define DEADWAX_CHEAP_H

/// Lets a process that runs for weeks give back what it no longer needs: its threads share two areas of memory, and large
/// blocks come from the kernel one by one. Call it before there are other threads.
void dw_keep_heap_small(void);

/// Gives free memory back to the kernel: some milliseconds.
void dw_trim_heap(void);

#endif
