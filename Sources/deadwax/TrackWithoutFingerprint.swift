/// A track whose fingerprint was asked for, and that has none.
struct TrackWithoutFingerprint: Error, CustomStringConvertible {
  let id: Int64

  var description: String {
    "track \(id) has no fingerprint: it is too short, or was indexed before fingerprints were made; `reanalyze --missing` makes them"
  }
}
