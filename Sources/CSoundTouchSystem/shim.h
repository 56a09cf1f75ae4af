// SoundTouch is C++ and enters Swift through CSoundTouch only; this target brings its flags from pkg-config.
