package import AudioDecoding
import MediaModel

/// Why the tags of a file are not edited. Nothing was written, and nothing will be.
package enum TagEditRefusal: Error, Hashable {
  /// There is no editor for the format, or no file of it was ever edited in a test.
  case format(String)
  /// The tags, or what holds them, are not as their standard has them, so that it is not certain which bytes are which.
  case malformed(String)
  /// What the standard allows, but no editor changes safely: a checksum, several streams, an encrypted frame.
  case unsafe(String)
  /// The tag has no place for such a value.
  case value(property: String, reason: String)
  /// A field of the file cannot hold the length of what is to be written.
  case tooLong(String)
  /// After the edit the file would not be read as it should be.
  ///
  /// - Parameter property: which of them; nil if it is something else.
  case contradicted(property: String?, String)
  case unreadable(DecodingError)

  package var code: String {
    switch self {
    case .format: "format"
    case .malformed: "malformed-tags"
    case .unsafe: "unsafe"
    case .value: "value"
    case .tooLong: "too-long"
    case .contradicted: "contradicted"
    case .unreadable: "unreadable"
    }
  }

  /// The only property that is to blame; nil if it is not one alone.
  package var property: String? {
    switch self {
    case .value(let property, _): property
    case .contradicted(let property, _): property
    case .format, .malformed, .unsafe, .tooLong, .unreadable: nil
    }
  }

  package var reason: String {
    switch self {
    case .format(let name): "tags of \(name) are not edited"
    case .malformed(let what): "the tags are damaged: \(what)"
    case .unsafe(let what): "the tags cannot be edited safely: \(what)"
    case .value(let property, let reason): "\(property): \(reason)"
    case .tooLong(let what): "too long: \(what)"
    case .contradicted(_, let what): "the edited file would be read differently: \(what)"
    case .unreadable(let error): error.problem.reason
    }
  }
}

/// Passes on what the system could not read.
func reading<Result>(_ body: () throws(DecodingError) -> Result) throws(TagEditRefusal) -> Result {
  do throws(DecodingError) { return try body() } catch { throw .unreadable(error) }
}
