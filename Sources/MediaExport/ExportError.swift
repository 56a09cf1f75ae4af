internal import Glibc

/// Why values could not become bytes or a picture, in one line for people.
package enum ExportError: Error, Hashable, CustomStringConvertible {
  /// A zoom that cannot be; `reason` names the allowed range.
  case zoom(reason: String)
  /// A picture that is empty or needs more memory than pictures may take.
  case pictureSize(width: Int, height: Int)
  /// A spectrum that cannot be; `reason` names the allowed range.
  case spectrum(reason: String)
  /// A template of fields that cannot be; `reason` says why.
  case template(reason: String)
  /// A file that is no preset, or presets that a format cannot hold; `reason` says why.
  case preset(reason: String)
  /// Cairo refused; `reason` is its own message.
  case drawing(reason: String)
  /// The format of a sound file cannot hold what it should.
  case encoding(reason: String)
  /// The file that should be written is one that was read.
  case wouldReplaceInput(path: String)
  /// What it was about, and the system's error number.
  case writing(path: String, code: Int32)

  /// Whether no other file of that folder can be written either: the reason is not the name of the file.
  package var concernsWholeFolder: Bool {
    guard case .writing(_, let code) = self else { return false }
    return ![EISDIR, ENAMETOOLONG, EEXIST, ELOOP, EILSEQ, EINVAL].contains(code)
  }

  package var description: String {
    switch self {
    case .zoom(let reason): "zoom: \(reason)"
    case .pictureSize(let width, let height):
      "a picture of \(width) x \(height) pixels cannot be drawn: each side is 1 to "
        + "\(PictureSize.sides.upperBound), both together at most \(PictureSize.maximumPixelCount) pixels"
    case .spectrum(let reason): "spectrum: \(reason)"
    case .template(let reason): reason
    case .preset(let reason): reason
    case .drawing(let reason): "drawing failed: \(reason)"
    case .encoding(let reason): reason
    case .wouldReplaceInput(let path): "\(path): is an input or music of the library, and is never written"
    case .writing(let path, let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
