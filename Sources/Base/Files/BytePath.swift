internal import Glibc

/// A path as the file system stores it: bytes without NUL, in no particular encoding.
///
/// Two names that are equal as Swift strings (NFC and NFD of one word) are different paths here.
package struct BytePath: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ string: String) { bytes = Array(string.utf8) }

  /// The bytes as text, with U+FFFD for what is not UTF-8. For display only; escape it with ``TerminalText`` for a
  /// terminal.
  package var displayString: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes after the last slash.
  package var lastComponent: BytePath {
    BytePath(bytes.suffix(from: (bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)))
  }

  /// The bytes before the last slash; empty if there is none.
  package var parent: BytePath {
    BytePath(bytes.prefix(upTo: bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0))
  }

  /// The folder that contains an absolute path.
  package var folder: BytePath { parent.bytes.isEmpty ? BytePath("/") : parent }

  /// This path without a slash at its end, unless it is `/`.
  package var withoutTrailingSlashes: BytePath {
    var bytes = bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return BytePath(bytes)
  }

  /// The lower-case ASCII bytes after the last dot of the last component; empty if there is none.
  package var pathExtension: String {
    guard let dot = bytes.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
      dot > 0, bytes[dot] != UInt8(ascii: "/"), bytes[dot - 1] != UInt8(ascii: "/")
    else { return "" }
    return String(decoding: bytes.suffix(from: dot + 1), as: UTF8.self).lowercased()
  }

  /// The last component without its extension and the dot before it.
  package var stem: BytePath {
    let name = lastComponent
    guard !name.pathExtension.isEmpty, let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return name }
    return BytePath(name.bytes.prefix(upTo: dot))
  }

  /// This path followed by another one; if either is empty, the result is the other.
  package func appending(_ component: BytePath) -> BytePath {
    if bytes.isEmpty { return component }
    if component.bytes.isEmpty { return self }
    return BytePath(bytes.last == UInt8(ascii: "/") ? bytes + component.bytes : bytes + [0x2F] + component.bytes)
  }

  /// Whether this path is `folder` or is below it; every path is below the empty one.
  package func isBelowOrEqual(to folder: BytePath) -> Bool {
    guard !folder.bytes.isEmpty, bytes.count > folder.bytes.count else { return folder.bytes.isEmpty || self == folder }
    return bytes.starts(with: folder.bytes) && (folder.bytes.last == 0x2F || bytes[folder.bytes.count] == 0x2F)
  }

  /// The part of this path below `folder`; empty if they are equal.
  ///
  /// - Precondition: ``isBelowOrEqual(to:)`` holds.
  package func relative(to folder: BytePath) -> BytePath {
    BytePath(bytes.dropFirst(folder.bytes.count).drop { $0 == 0x2F })
  }

  /// Compares bytes, so that the order is total and independent of the locale.
  package static func < (left: BytePath, right: BytePath) -> Bool {
    let order = Self.compare(left, right, count: min(left.bytes.count, right.bytes.count))
    return order < 0 || order == 0 && left.bytes.count < right.bytes.count
  }

  package static func == (left: BytePath, right: BytePath) -> Bool {
    left.bytes.count == right.bytes.count && compare(left, right, count: left.bytes.count) == 0
  }

  /// Hashes all bytes at once; an array of bytes would hash them one by one.
  package func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Compares the first `count` bytes of both, as `memcmp` does.
  private static func compare(_ left: BytePath, _ right: BytePath, count: Int) -> Int32 {
    left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return memcmp(left, right, count)
      }
    }
  }
}

extension BytePath {
  /// The bytes with a NUL at the end, for system calls.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    return terminated.withUnsafeBufferPointer { buffer in
      // The array is not empty, so it has a base address.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}

extension BytePath {
  /// The path with `%41` as the byte that it stands for; a `%` without two hexadecimal digits stays, and so does `%00`.
  package var percentDecoded: BytePath {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = Self.hexadecimal(rest.prefix(2)), value != 0 {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return BytePath(decoded)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
