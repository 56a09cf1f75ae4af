#if !LIBFUZZER
  internal import Foundation
  internal import Fuzzing

  /// Puts files to a target one after the other: `deadwax-fuzz TARGET FILE…`, for a debugger.
  @main enum Replay {
    static func main() throws {
      let arguments = CommandLine.arguments.dropFirst()
      guard let target = arguments.first.flatMap({ FuzzTargets[$0] }) else {
        FileHandle.standardError.write(Data("targets: \(FuzzTargets.all.map(\.name).joined(separator: " "))\n".utf8))
        exit(64)
      }
      for path in arguments.dropFirst() {
        try target.check([UInt8](Data(contentsOf: URL(filePath: path))))
        print("\(path): no failure")
      }
    }
  }
#endif
