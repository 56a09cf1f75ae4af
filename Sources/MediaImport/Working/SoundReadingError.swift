package import MediaModel

/// Why the sound of a file could not be read, in one line for people.
package enum SoundReadingError: Error, Hashable, CustomStringConvertible {
  case file(BytePath, reason: String)
  case worker(String)

  package var description: String {
    switch self {
    case .file(let path, let reason): "\(path.displayString): \(reason)"
    case .worker(let reason): "the worker failed: \(reason)"
    }
  }
}
