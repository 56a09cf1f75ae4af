internal import MediaModel

/// What a reader makes of a file: an equalizer, and the name that the file gives to it, if any.
struct NamedEqualizer {
  var name: String?
  var equalizer: Equalizer
}
