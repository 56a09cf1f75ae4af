/// Why a file of another program could not be read or written.
package enum ExchangeError: Error, Hashable, CustomStringConvertible {
  /// The file is damaged or not of the expected format; the text says what is wrong, and where if that is known.
  case unreadable(String)
  /// The file has more bytes than are read.
  case tooLarge(byteCount: Int, limit: Int)
  /// No preset, or several for a format that holds one.
  case wrongPresetCount(Int, format: String)

  package var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .tooLarge(let byteCount, let limit): "the file has \(byteCount) bytes; at most \(limit) are read"
    case .wrongPresetCount(let count, let format): "\(format) holds one preset, not \(count)"
    }
  }
}
