internal import MediaModel

/// Only tags are known of a track: no decoder could take its sound.
struct TrackWithoutSound: Error, CustomStringConvertible {
  let path: BytePath?
  var description: String {
    (path.map { $0.displayString + ": " } ?? "") + "its sound was not decoded; `deadwax problems` says why"
  }
}
