internal import Foundation

/// An open file without a name: decoders read descriptors.
struct NamelessFile: ~Copyable {
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    let template = FileManager.default.temporaryDirectory.appending(path: "deadwax-fuzz-XXXXXX").path
    var path = template.utf8CString.map { $0 }
    descriptor = mkstemp(&path)
    try require(descriptor >= 0 && unlink(path) == 0, "no temporary file")
    try require(write(descriptor, bytes, bytes.count) == bytes.count, "a temporary file cannot be written")
  }

  deinit { close(descriptor) }
}
