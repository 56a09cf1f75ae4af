#if LIBFUZZER
  internal import Foundation
  internal import Fuzzing

  /// What libFuzzer calls, which has the main program in a build of `make fuzz`.
  private enum LibFuzzer {
    /// Seconds of processor time that one input may take; AddressSanitizer makes everything some three times slower.
    static let limitInSeconds = 3.0

    nonisolated(unsafe) static var target: (any FuzzTarget)?

    static func say(_ message: String) { FileHandle.standardError.write(Data("deadwax-fuzz: \(message)\n".utf8)) }

    static func fail(_ message: String) -> Never {
      say(message)
      abort()
    }

    /// Without the search for leaks that an ordinary end comes with: values of the caller are still held.
    static func end(_ status: Int32) -> Never {
      fflush(nil)
      _exit(status)
    }

    static func processorSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  /// Takes the target from the environment: arguments are libFuzzer's.
  @_cdecl("LLVMFuzzerInitialize")
  func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
  ) -> CInt {
    let environment = ProcessInfo.processInfo.environment
    guard let target = FuzzTargets[environment["DEADWAX_FUZZ_TARGET"] ?? ""] else {
      LibFuzzer.say("DEADWAX_FUZZ_TARGET is one of \(FuzzTargets.all.map(\.name).joined(separator: " "))")
      LibFuzzer.end(64)
    }
    LibFuzzer.target = target
    guard let folder = environment["DEADWAX_FUZZ_SEEDS"] else { return 0 }
    do { try SeedFolder(folder).write(target) } catch { LibFuzzer.fail("\(error)") }
    LibFuzzer.end(0)
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = LibFuzzer.target else { return 0 }
    let start = LibFuzzer.processorSeconds()
    do { try target.check(Array(UnsafeBufferPointer(start: data, count: count))) } catch { LibFuzzer.fail("\(error)") }
    let seconds = LibFuzzer.processorSeconds() - start
    if seconds > LibFuzzer.limitInSeconds { LibFuzzer.fail("took \(seconds) s of processor time") }
    return 0
  }
#endif
