/// What a build says of itself. Only the executable imports it, so that a new commit compiles this and links, and nothing else.
#ifndef DEADWAX_CBUILD_H
#define DEADWAX_CBUILD_H

/// The commit that was built, with a `+` if files differed from it; empty if the build was not told (`make static` tells it).
const char *dw_build_commit(void);

#endif
