package import Base

/// Paths as playlists write them: as plain text, or as percent-encoded URLs.
package enum PlaylistPath {
  /// The relative path from a folder to a file; both must be absolute and without `.` and `..`.
  package static func relative(_ file: BytePath, to folder: BytePath) -> BytePath {
    let slash = UInt8(ascii: "/")
    let target = file.bytes.split(separator: slash)
    let start = folder.bytes.split(separator: slash)
    var common = 0
    while common < min(start.count, target.count - 1), start[common] == target[common] { common += 1 }
    let up = Array(repeating: Array("..".utf8)[...], count: start.count - common)
    return BytePath((up + target[common...]).joined(separator: [slash]))
  }

  /// A path in Windows code page 1252, converted to UTF-8; nil if it is UTF-8 already.
  package static func recoded(_ path: BytePath) -> BytePath? {
    guard String(validating: path.bytes, as: UTF8.self) == nil else { return nil }
    return BytePath(LegacyText.decoded(path.bytes[...]))
  }

  /// Whether a path can be written as a line of text, which a terminal may show. Any other is written as a URL, and
  /// must be absolute for that.
  package static func fitsLine(_ path: BytePath) -> Bool {
    guard let text = String(validating: path.bytes, as: UTF8.self) else { return false }
    return !text.unicodeScalars.contains(where: \.isControl)
  }

  /// A path as a line of a playlist, with `./` before what would be read as a comment, a URL or a byte order mark.
  static func line(_ path: BytePath) -> String {
    guard fitsLine(path) else { return address(path) }
    let text = path.displayString
    let lower = text.lowercased()
    let isOdd =
      path.bytes.first == UInt8(ascii: "#") || text.first.map { $0.isWhitespace } ?? false || isStream(lower)
      || lower.hasPrefix("file:") || path.bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return isOdd ? "./" + text : text
  }

  /// Percent-encodes every byte that RFC 3986 does not allow in a path.
  static func percentEncoded(_ path: BytePath) -> String {
    var text = ""
    for byte in path.bytes {
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39: text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "-._~/!$'()*+,;=@".utf8.contains(byte): text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  /// A URL: `file:///…` for an absolute path, otherwise a relative reference.
  static func address(_ path: BytePath) -> String {
    let encoded = percentEncoded(path)
    return path.bytes.first == UInt8(ascii: "/") ? "file://" + encoded : encoded
  }

  static func percentDecoded(_ text: some StringProtocol) -> BytePath { BytePath(String(text)).percentDecoded }

  /// The paths of a `file:` URL or relative reference: decoded, then as it stands, because some programs do not encode it.
  /// None for any other URL, and if there is no path.
  static func paths(ofAddress address: String) -> [BytePath] {
    let lower = address.lowercased()
    var rest = address[...]
    if lower.hasPrefix("file:") {
      rest = rest.dropFirst(5)
      if rest.hasPrefix("//") {
        // file://localhost/… and file:///…
        rest = rest.dropFirst(2)
        rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
      }
    } else if isSharedFolder(lower) {
      rest = rest[(rest.firstRange(of: "://")?.upperBound ?? rest.startIndex)...]
      rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
    } else if isStream(lower) {
      return []
    }
    guard !rest.isEmpty else { return [] }
    var paths = [percentDecoded(rest), BytePath(String(rest))]
    if let query = rest.firstIndex(of: "?"), query > rest.startIndex { paths.append(percentDecoded(rest[..<query])) }
    if rest.contains("+"), !rest.contains(" ") { paths.append(percentDecoded(rest.replacing("+", with: " "))) }
    return distinct(paths)
  }

  /// Whether a URL in lower case is that of a file in a folder of another machine; its path ends like that of the file.
  static func isSharedFolder(_ address: String) -> Bool {
    ["smb", "cifs", "nfs", "afp", "sftp"].contains { address.hasPrefix($0 + "://") }
  }

  /// The paths without those that occur earlier.
  static func distinct(_ paths: [BytePath]) -> [BytePath] {
    var seen: Set<BytePath> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// Whether a text in lower case begins with a URL scheme and `://`.
  static func isStream(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://") else { return false }
    let scheme = text[..<end.lowerBound]
    return scheme.utf8.count > 1 && scheme.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }
}
