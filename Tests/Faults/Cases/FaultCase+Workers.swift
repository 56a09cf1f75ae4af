import Foundation
import TestSupport

extension FaultCase {
  /// Workers that die, leave, stop, or get no memory in the middle of a file.
  static var workers: [FaultCase] {
    [
      FaultCase(75, named: "workers are killed again and again") { trial in
        let (music, invariants) = try longMusic()
        let fresh = try await invariants.freshDump()
        var random = RepeatableRandom(seed: 75)
        for index in 0..<trial.count(20) {
          let deadwax = try DeadwaxCommand()
          let users = try await deadwax.decide()
          let scan = try deadwax.start(["scan", "--jobs", "2", music.path])
          for _ in 0..<2 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...600, using: &random)))
            if let worker = scan.workers.randomElement(using: &random) { kill(worker.processID, SIGKILL) }
          }
          let outcome = try await scan.outcome()
          trial.countAttempt()
          trial.expect(outcome.status == 0, "\(outcome)")
          trial.expectNone(
            try await invariants.violations(of: deadwax, users: users, equals: fresh), after: "time \(index)")
        }
      },
      ending("SIGSEGV", states: ["crashed"]) { kill($0, SIGSEGV) },
      ending("SIGABRT", states: ["crashed"]) { kill($0, SIGABRT) },
      ending("SIGBUS", states: ["crashed"]) { kill($0, SIGBUS) },
      ending("leaves without an answer", states: ["crashed"]) { try attach($0, "sendmsg:error=EPIPE") },
      // The first byte of a message is lost, so that the scan waits for its end or misreads its length.
      ending("gives half an answer", states: ["crashed", "timeout", "ok"]) {
        try attach($0, "sendmsg:retval=1:when=1")
      },
      ending("gets no more memory", number: 77, states: ["crashed"]) { id in
        // The memory that the end of a file needs is not available any more.
        try Tool.run("prlimit", "--pid", "\(id)", "--as=4096")
      },
      ending("is killed while it is stopped", number: 78, states: ["crashed", "ok"]) { id in
        kill(id, SIGSTOP)
        kill(id, SIGKILL)
      },
      ending("does not come back from reading once", number: 60, states: ["ok"]) { try attach($0, hang) },
      // The second attempt, too.
      ending("does not come back from reading, as on a disk that hangs", number: 60, states: ["timeout"], times: 2) {
        try attach($0, hang)
      },
    ]
  }

  private static let hang = "pread64,read,mmap:delay_enter=10000000"

  /// An hour of silence between short files.
  private static func longMusic() throws -> (MusicFolder, Invariants) {
    let music = try MusicFolder()
    try music.add(fixture: "damaged/clean.mp3", as: "a.mp3")
    try music.addSilence(seconds: 3600, as: "m.wav")
    try music.add(fixture: "damaged/length-unknown.flac", as: "z.flac")
    return (music, try Invariants(music.url))
  }

  /// Harms a worker in the middle of a file: the file gets a state, and no other file is affected.
  ///
  /// - Parameters:
  ///   - states: What the file may be afterwards; it is ok if another worker read it in a second attempt.
  ///   - harmCount: How many workers are harmed, one after the other.
  private static func ending(
    _ name: String, number: Int = 76, states: Set<String>, times harmCount: Int = 1,
    does harm: @escaping @Sendable (Int32) throws -> Void
  ) -> FaultCase {
    FaultCase(number, named: "a worker \(name.hasPrefix("SIG") ? "ends by \(name)" : name)") { trial in
      try NotRun.unless(has: "prlimit")
      let (music, _) = try longMusic()
      for _ in 0..<trial.count(3) {
        let deadwax = try DeadwaxCommand()
        let users = try await deadwax.decide()
        let scan = try deadwax.start(["scan", "--jobs", "1", "--deadline", "2", music.path])
        var harmed: Set<Int32> = []
        while harmed.count < harmCount {
          guard let worker = try await scan.worker(after: 0.25, otherThan: harmed) else {
            throw UnexpectedOutcome(try await scan.outcome())
          }
          try harm(worker.processID)
          harmed.insert(worker.processID)
        }
        let outcome = try await scan.outcome()
        trial.countAttempt()
        trial.expect(outcome.status == 0, "\(outcome)")
        let listed = try await deadwax.must(["ls", "--format", "csv", "--fields", "filename,state", "--sort", "path"])
        let found = listed.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        trial.expect(
          states.contains { found == ["a.mp3,ok", "m.wav,\($0)", "z.flac,ok"] }, "\(listed.text)")
        let reason = try await deadwax.must(["problems", "--jsonl"]).text
        trial.expect(
          reason.contains("m.wav") != found.contains("m.wav,ok"), "\(listed.text) does not agree with: \(reason)")
        // A worker that hangs in the kernel ends when its call returns.
        for _ in 0..<150 where harmed.contains(where: ProcessTable.isRunning) {
          try await Task.sleep(for: .milliseconds(100))
        }
        trial.expect(!harmed.contains(where: ProcessTable.isRunning), "the worker is still there")
        let again = try await deadwax.must(["scan", "--json"]).document(ScanDocument.self)
        trial.expect(again.decoded_files == 0, "it was tried again")
        trial.expect(try await UserDump(deadwax) == users, "what users decided has changed")
        trial.expect(try await deadwax.run(["doctor", "--deep"]).status == 0, "the library is not sound")
      }
    }
  }

  /// Lets calls of a running process fail.
  private static func attach(_ id: Int32, _ injection: String) throws {
    try Injection.requireTracer()
    let tracer = Process()
    tracer.executableURL = URL(filePath: "/usr/bin/strace")
    tracer.arguments = ["-qq", "-o", "/dev/null", "-p", "\(id)", "-e", "inject=\(injection)"]
    tracer.standardError = FileHandle.nullDevice
    try tracer.run()
    // Beside other work the tracer may start so late that nothing is left to fail.
    for _ in 0..<500 {
      let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
      guard let status, status.contains("TracerPid:\t0\n") else { return }
      usleep(10_000)
    }
    throw NotRun("strace did not attach")
  }
}
