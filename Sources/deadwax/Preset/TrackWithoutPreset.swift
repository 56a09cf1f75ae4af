/// A track whose preset was asked for, and that has none.
struct TrackWithoutPreset: Error, CustomStringConvertible {
  let id: Int64

  var description: String { "track \(id) is heard without a preset; `deadwax preset of \(id)` says why" }
}
