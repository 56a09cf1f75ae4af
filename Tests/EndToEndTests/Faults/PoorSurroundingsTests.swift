import Foundation
import Glibc
import Testing
import TestSupport

/// Commands that are started with less than usual: without devices, streams, /proc, a folder or calls of the kernel.
struct PoorSurroundingsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.of("damaged/one-sample.wav", "damaged/clean.mp3")
    (music, deadwax) = (scanned.music, try await scanned.library())
  }

  private static let canHide = geteuid() == 0 && (try? Tool.run("unshare", "-m", "true")) != nil

  /// Runs a script without single quotes where a folder of the system is empty, but for what the test itself has there.
  private func shell(without folder: String, _ script: String) async throws -> CommandOutcome {
    let memory = "/dev/shm"
    guard folder == "/dev", deadwax.home.url.path.hasPrefix(memory) else {
      return try await deadwax.shell("unshare -m bash -c 'mount -t tmpfs none \(folder) && \(script)'")
    }
    let hiding = "exec 9<\(memory) && mount -t tmpfs none /dev"
    let keeping = "mkdir \(memory) && mount -c --bind /proc/self/fd/9 \(memory) && exec 9<&-"
    return try await deadwax.shell("unshare -m bash -c '\(hiding) && \(keeping) && \(script)'")
  }

  // Faults: 166
  /// Otherwise the next warning would be written over the start of the library.
  @Test(
    .enabled(if: canHide && CallTracer.isPossible, "needs root and strace"),
    arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func `without devices no closed stream becomes the library`(closing: String) async throws {
    let run = "exec deadwax preset copy air Other \(closing)"
    _ = try await shell(without: "/dev", "strace -qq -e trace=openat -o trace sh -c \"\(run)\"")
    let openings = try String(contentsOf: deadwax.home.appending("trace"), encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("/library.sqlite\"") && !$0.contains(" = -1 ") }
    let numbers = openings.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(!numbers.isEmpty && numbers.count == openings.count && numbers.allSatisfy { $0 > 2 }, "\(openings)")
    #expect(try await deadwax.must(["doctor", "--deep"]).text.contains(": intact"))
  }

  // Faults: 167
  @Test(.enabled(if: canHide, "needs root"))
  func `without devices no file is blamed for a worker that cannot start`() async throws {
    let segment = try await shell(without: "/dev", "deadwax segment filename:clean -e 1 -o part.wav")
    #expect(segment.status == 1 && segment.errorText.contains("cannot start"), "\(segment)")
    #expect(!segment.errorText.contains(music.path), "\(segment)")
    let scan = try await shell(without: "/dev", "deadwax scan --deep")
    #expect(scan.status == 1 && scan.errorText.contains("cannot start worker processes"), "\(scan)")
    #expect(try await deadwax.must(["scan", "--json"]).document(ScanDocument.self).unchanged == 2)
  }

  // Faults: 168
  @Test(.enabled(if: canHide, "needs root"))
  func `without the kernel's own folder the reason is said`() async throws {
    let outcome = try await shell(without: "/proc", "deadwax ls")
    #expect(outcome.status == 64 && outcome.errorText.contains("because /proc is not mounted"), "\(outcome)")
  }

  // Faults: 196
  /// From a limit under which no worker starts to one that does not matter.
  @Test(arguments: ["ulimit -v", "ulimit -d"])
  func `with little memory no file is blamed for a worker that crashes`(limit: String) async throws {
    let fields = "--fields filename,state --format tsv"
    let expected = try await deadwax.shell("deadwax ls -q \(fields)").text
    var statuses: Set<Int32> = []
    for kibibytes in stride(from: 20_000, through: 480_000, by: 20_000) {
      let library = "\(kibibytes).sqlite"
      let run = try await deadwax.shell("\(limit) \(kibibytes); deadwax scan -q -L \(library) \(music.path)")
      statuses.insert(run.status)
      let next = try await deadwax.shell("deadwax scan -L \(library) --json \(music.path)")
      #expect(next.status == 0, "\(limit) \(kibibytes): \(run) \(next)")
      let listed = try await deadwax.shell("deadwax ls -q -L \(library) \(fields)").text
      #expect(listed == expected, "\(limit) \(kibibytes): \(run) \(next)")
    }
    #expect(statuses.contains(0) && statuses.count > 1, "\(statuses)")
  }

  /// A thread's stack is 8 MiB of addresses, so some step leaves room for any number of them.
  @Test func `with memory for some threads more or less a command ends`() async throws {
    func status(_ kibibytes: Int) async throws -> Int32 {
      let scan = "timeout 100 deadwax scan -q -L small.sqlite \(music.path)"
      return try await deadwax.shell("ulimit -v \(kibibytes); \(scan); code=$?; rm -f small.sqlite*; exit $code").status
    }
    var enough = 80_000
    while try await status(enough) != 0 { enough += 20_000 }
    for kibibytes in stride(from: enough - 60_000, to: enough, by: 2_000) {
      let found = try await status(kibibytes)
      #expect(found != 124, "\(kibibytes)")
    }
  }

  // Faults: 169
  @Test func `in a folder that was deleted a command works, and says what it cannot write`() async throws {
    let enter = "mkdir gone; cd gone; rmdir ../gone; "
    #expect(try await deadwax.shell(enter + "deadwax ls filename:clean").text.contains("clean.mp3"))
    #expect(try await deadwax.shell(enter + "deadwax preset copy air Other").status == 0)
    let output = try await deadwax.shell(enter + "deadwax export --what tracks -o tracks.csv")
    #expect(output.status == 1 && output.errorText.contains("tracks.csv: No such file"), "\(output)")
    let library = try await deadwax.shell(enter + "deadwax scan -L own.sqlite \(music.path)")
    #expect(library.status == 5 && library.errorText.contains("own.sqlite"), "\(library)")
  }

  // Faults: 170
  @Test func `signals that are ignored from the start neither lose workers nor end a command`() async throws {
    let scan = try await deadwax.shell("trap '' CHLD PIPE XFSZ USR1 ALRM; exec deadwax scan --deep --json")
    #expect(scan.status == 0, "\(scan)")
    #expect(try scan.document(ScanDocument.self).unchanged == 2)
    let list = try await deadwax.shell("trap '' PIPE; { deadwax ls --jsonl; echo $? >&2; } | true; sleep 0.1")
    #expect(list.errorText == "0\n", "\(list)")
  }

  // Faults: 164
  /// Kernels before 5.9 lack the call, and filters of containers refuse it.
  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"), arguments: ["ENOSYS", "EPERM"])
  func `a worker closes what it inherited without close_range, too`(error: String) async throws {
    let run = "exec 9< /etc/passwd; exec deadwax scan --deep --jobs 1"
    let scan = try await deadwax.shell(
      "strace -f -qq -e trace=close_range,close -e inject=close_range:error=\(error) -o trace sh -c '\(run)'")
    #expect(scan.status == 0, "\(scan)")
    let lines = try String(contentsOf: deadwax.home.appending("trace"), encoding: .utf8).split(separator: "\n")
    let refused = try #require(lines.firstIndex { $0.hasSuffix("(INJECTED)") })
    let worker = try #require(lines[refused].split(separator: " ").first)
    // The rest of the call may stand on a line of its own.
    #expect(lines[refused...].contains { $0.hasPrefix("\(worker) ") && $0.contains("close(9") })
  }

  // Faults: 165
  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a kernel that refuses what is only convenient costs nothing`() async throws {
    for call in ["getrandom", "sched_getaffinity", "setpriority", "getrusage", "madvise"] {
      for error in ["ENOSYS", "EPERM"] {
        let scan = try await deadwax.shell(
          "strace -f -qq -o trace -e trace=\(call) -e inject=\(call):error=\(error) deadwax scan --deep --json")
        #expect(scan.status == 0, "\(call): \(scan)")
        #expect(try scan.document(ScanDocument.self).unchanged == 2, "\(call): \(scan)")
      }
    }
  }

  // Faults: 165
  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"), arguments: ["prctl", "prlimit64"])
  func `a worker that cannot limit itself reads nothing`(call: String) async throws {
    let scan = try await deadwax.shell(
      "strace -f -qq -o trace -e trace=\(call) -e inject=\(call):error=EPERM deadwax scan --deep")
    #expect(scan.status == 1 && scan.errorText.contains("cannot start worker processes"), "\(scan)")
    #expect(try await deadwax.must(["scan", "--json"]).document(ScanDocument.self).unchanged == 2)
  }
}
