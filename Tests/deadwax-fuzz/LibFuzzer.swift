import Base

#if LIBFUZZER
  internal import Foundation
  internal import Fuzzing
  internal import MediaModel

  /// What libFuzzer calls, which has the main program in a build of `make fuzz`.
  private enum LibFuzzer {
    /// Seconds of processor time that one input may take; AddressSanitizer makes everything some three times slower.
    ///
    /// libFuzzer's own limit is of wall time, which a busy machine spends elsewhere.
    static let limitInSeconds = 3

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

    /// Ends the input that takes too long as a crash, so that libFuzzer keeps it.
    static func watch() {
      signal(SIGPROF) { _ in
        let message = "deadwax-fuzz: too much processor time\n"
        _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        abort()
      }
    }

    /// Gives the next input its time.
    static func restartClock() {
      var timer = itimerval()
      timer.it_value.tv_sec = limitInSeconds
      setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
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
    // Connections are given up then, and do not stay for good.
    _ = ThreadSupply.canStartThread
    LibFuzzer.target = target
    LibFuzzer.watch()
    guard let folder = environment["DEADWAX_FUZZ_SEEDS"] else { return 0 }
    do { try SeedFolder(folder).write(target) } catch { LibFuzzer.fail("\(error)") }
    LibFuzzer.end(0)
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = LibFuzzer.target else { return 0 }
    LibFuzzer.restartClock()
    do { try target.check(Array(UnsafeBufferPointer(start: data, count: count))) } catch { LibFuzzer.fail("\(error)") }
    return 0
  }
#endif
