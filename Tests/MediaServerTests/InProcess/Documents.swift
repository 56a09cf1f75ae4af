import Foundation
import TestSupport

@testable import HTTPServing

extension DocumentStream {
  /// All of it.
  func whole() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try next() { bytes += piece }
    return bytes
  }
}

/// Files of gzip, read by the tool of that name.
enum Gzip {
  static func decompressed(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "file.gz")
    return Array(try Tool.run("gzip", "-dc", folder.appending("file.gz").path))
  }
}
