internal import ArgumentParser
internal import AudioEncoding
internal import Base

/// Where the bytes of one sound file go: a file, a device or standard output.
struct SoundFileOutput {
  let kind: SoundFileKind
  let file: OutputFileOptions
  /// Whether a file that exists is replaced.
  let replaces: Bool
  /// Files that must never be overwritten.
  let inputs: [BytePath]

  /// - Parameter encode: Passes on the bytes in order; what it returns besides its result replaces the first bytes. If
  ///   the first bytes cannot be replaced, everything goes through a temporary file.
  func write<Result>(
    _ encode: (_ append: ([UInt8]) throws -> Void) throws -> (Result, start: [UInt8])
  ) throws -> Result {
    guard file.isStandardOutput else {
      let output = try OutputFile(BytePath(argument: file.output ?? ""), replaces: replaces)
        .begin(protecting: inputs)
      let result: Result
      if output.isReplaceable {
        let (done, start) = try encode { try output.append($0) }
        if !start.isEmpty { try output.replaceStart(with: start) }
        result = done
      } else {
        result = try stream(encode) { try output.append($0) }
      }
      try output.commit()
      return result
    }
    if StandardOutput.isTerminal {
      throw ValidationError("\(kind.rawValue) cannot be shown in a terminal; name a file with -o")
    }
    return try stream(encode) { try StandardOutput.write(bytes: $0) }
  }

  private func stream<Result>(
    _ encode: (_ append: ([UInt8]) throws -> Void) throws -> (Result, start: [UInt8]),
    to append: @escaping ([UInt8]) throws -> Void
  ) throws -> Result {
    guard kind.rewritesStart else { return try encode(append).0 }
    let spool = try SpooledOutput()
    let (result, start) = try encode { try spool.append($0) }
    if !start.isEmpty { try spool.replaceStart(with: start) }
    try spool.forEachPiece(append)
    return result
  }
}

/// The bits of a sample: 16, 24 or float.
enum SampleFormArgument: String, CaseIterable, ExpressibleByArgument {
  case int16 = "16"
  case int24 = "24"
  case float

  var form: SampleForm {
    switch self {
    case .int16: .int16
    case .int24: .int24
    case .float: .float32
    }
  }
}
