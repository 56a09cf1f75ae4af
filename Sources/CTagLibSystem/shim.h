// TagLib is C++ and enters Swift through CTagLib only; this target brings its flags from pkg-config.
