package import Base

/// Why the index of sound cannot be read or written; the library is never concerned.
package enum SoundIndexError: Error, Hashable, CustomStringConvertible {
  /// A file of the index is cut off, damaged or of another version: the index must be made again.
  case damaged(BytePath, reason: String)
  case system(BytePath, code: Int32)
  case output(OutputError)

  package var description: String {
    switch self {
    case .damaged(let path, let reason): "\(path.displayString): \(reason)"
    case .system(let path, let code): "\(path.displayString): \(SystemError(call: "", code: code))"
    case .output(let error): error.description
    }
  }
}
