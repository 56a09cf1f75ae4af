/// The keys of `scan --json`.
package struct ScanReport: Decodable, Sendable {
  package var schema: Int
  package var found: Int
  package var new: Int
  package var changed: Int
  package var unchanged: Int
  package var moved: Int
  package var missing: Int
  package var problems: Int
  package var decoded_files: Int
  package var audio_seconds: Double
}
