#include "CBuild.h"

#ifndef DEADWAX_COMMIT
#define DEADWAX_COMMIT ""
#endif

const char *dw_build_commit(void) { return DEADWAX_COMMIT; }
