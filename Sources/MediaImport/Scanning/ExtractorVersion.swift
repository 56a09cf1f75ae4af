/// The version of all that reads files: sniffing, hashing, tags, decoding.
///
/// Raised when a file could now be read that could not be read before: files that were unsupported, timed out or crashed
/// are then tried once more.
package enum ExtractorVersion {
  package static let current = 2
}
