import Foundation
import TestSupport

extension FaultCase {
  /// The surroundings of a process: limits, environment, clock, language and streams.
  static var circumstances: [FaultCase] {
    [
      limits(71, named: "few descriptors", "ulimit -n", [12, 24, 35, 36, 40, 48]),
      limits(84, named: "little memory", "ulimit -v", Array(stride(from: 20_000, through: 400_000, by: 20_000))),
      // With 0 not even the file that takes its output could grow.
      limits(82, named: "files may not grow", "ulimit -f", [1, 8, 64, 256, 512, 1024, 2048]),
      environment, privateFiles, clock, languages, fullOutput,
    ]
  }

  /// Each operation under a limit, from one under which nothing works to one that does not matter.
  private static func limits(_ number: Int, named name: String, _ command: String, _ values: [Int]) -> FaultCase {
    FaultCase(number, named: "\(name): \(command)") { trial in
      var passCount = 0
      for operation in Operation.names {
        let operation = try await Operation.named(operation)
        let effect = try await operation.effect()
        for value in values {
          let limit = "\(command) \(value)"
          try await operation.attempt(trial, effect, at: limit, mayDie: number == 84) { deadwax, arguments in
            let outcome = try await deadwax.run(after: limit, arguments)
            passCount += outcome.status == 0 ? 1 : 0
            return outcome
          }
        }
      }
      trial.note("\(passCount) passed")
      trial.expect(passCount > 0, "nothing succeeds under any of the limits")
    }
  }

  private static let environment = FaultCase(85, named: "no HOME, no temporary folder") { trial in
    for operation in Operation.names {
      let operation = try await Operation.named(operation)
      let effect = try await operation.effect()
      for preparation in [
        "unset HOME", "export TMPDIR=/nowhere", "export TMPDIR=/proc", "unset HOME XDG_DATA_HOME PATH LANG",
      ] {
        try await operation.attempt(trial, effect, at: preparation) { deadwax, arguments in
          let outcome = try await deadwax.run(after: preparation, arguments)
          trial.expect(outcome.status == 0, "\(operation.name), \(preparation): \(outcome)")
          return outcome
        }
      }
    }
    let disk = try SmallDisk()
    try disk.leave(freePages: 0)
    let stage = try await Stage.shared.value
    for arguments in [["ls"], ["scan", "--dry-run", stage.music.path], ["scan", "--deep"]] {
      let deadwax = try stage.copy()
      let outcome = try await deadwax.run(arguments, environment: ["TMPDIR": disk.url.path])
      trial.countAttempt()
      trial.expect(outcome.status == 0, "full temporary folder: \(outcome)")
    }
  }

  private static let privateFiles = FaultCase(85, named: "files are private under every umask") { trial in
    let stage = try await Stage.shared.value
    for mask in ["0", "022", "077", "0777"] {
      let deadwax = try DeadwaxCommand()
      let place = deadwax.home.appending("data/deadwax")
      let data = ["XDG_DATA_HOME": deadwax.home.appending("data").path, "DEADWAX_LIBRARY": ""]
      for arguments in [["scan", stage.music.path], ["backup", place.path + "/kept"]] {
        let outcome = try await deadwax.run(after: "umask \(mask)", arguments, environment: data)
        trial.expect(outcome.status == 0, "umask \(mask): \(outcome)")
      }
      trial.countAttempt()
      let modes = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/stat"),
        ["-c", "%a"] + ["", "/library.sqlite", "/kept"].map { place.path + $0 })
      trial.expect(modes.text == "700\n600\n600\n", "umask \(mask): \(modes)")
    }
  }

  private static let clock = FaultCase(86, named: "the clock goes back a year, and the time zone changes") { trial in
    try NotRun.unless(has: "faketime")
    let stage = try await Stage.shared.value
    for program in [
      ["faketime", "-f", "-1y"], ["faketime", "-f", "+1y"], ["TZ=Pacific/Kiritimati"], ["TZ=Pacific/Niue"],
    ] {
      let deadwax = try stage.copy()
      trial.countAttempt()
      let scan = try await deadwax.run(through: program, ["scan", "--json"])
      trial.expect(scan.status == 0, "\(scan)")
      trial.expect(try scan.document(ScanDocument.self).decoded_files == 0, "\(program): files were read again")
      for arguments in [["preset", "edit", "mine", "--gain", "-3"], ["preset", "assign", "other", "filename:clean"]] {
        let outcome = try await deadwax.run(through: program, arguments)
        trial.expect(outcome.status == 0, "\(outcome)")
      }
      // The latest change is the one that was made last, whatever the clock said.
      try await deadwax.must(["preset", "undo"])
      try await deadwax.must(["preset", "undo"])
      let users = try await UserDump(deadwax, withTimes: false).lines.filter { !$0.hasPrefix("change") }
      let before = try await UserDump(stage.copy(), withTimes: false).lines.filter { !$0.hasPrefix("change") }
      trial.expect(users == before, "\(program): undone in another order")
      // With the times and the journal of what was just undone.
      let decided = try await UserDump(deadwax)
      trial.expectNone(
        try await stage.invariants.violations(of: deadwax, users: decided, equals: stage.fresh),
        after: program.joined(separator: " "))
    }
  }

  private static let languages = FaultCase(87, named: "languages change no byte of the output") { trial in
    try NotRun.unless(has: "localedef")
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    let locales = try TemporaryFolder()
    for name in ["tr_TR", "de_DE"] {
      let made = try? Tool.run("localedef", "-i", name, "-f", "UTF-8", locales.appending("\(name).UTF-8").path)
      if made == nil { throw NotRun("the locale \(name) cannot be made") }
    }
    let questions = [
      ["ls"], ["ls", "--format", "json"], ["ls", "--format", "csv", "--fields", "path,duration,lufs,peak,bitrate"],
      ["ls", "FILENAME:CLEAN"], ["ls", "title:I"], ["ls", "duration:>0.5"], ["show", "filename:clean"],
      ["show", "filename:clean", "--json"], ["status"], ["preset", "show", "mine"], ["preset", "ls"],
      ["waveform", "filename:clean", "-o", "-", "--format", "json"], ["export", "--what", "tags"],
      ["spectrum", "filename:clean", "-o", "-", "--format", "csv"],
    ]
    for question in questions {
      let plain = try await deadwax.run(question)
      // Pictures are drawn with letters if the terminal can show nothing else.
      let isDrawing = question == ["show", "filename:clean"]
      for name in ["C", "POSIX", "tr_TR.UTF-8", "de_DE.UTF-8"] where !isDrawing || name.hasSuffix("UTF-8") {
        let other = try await deadwax.run(
          question, environment: ["LC_ALL": name, "LANG": name, "LC_NUMERIC": name, "LOCPATH": locales.url.path])
        trial.countAttempt()
        trial.expect(
          other.standardOutput == plain.standardOutput && other.status == plain.status,
          "\(question) in \(name): \(other)")
      }
    }
  }

  private static let fullOutput = FaultCase(88, named: "standard output is full, standard input closed") { trial in
    let stage = try await Stage.shared.value
    for question in [
      ["ls"], ["ls", "--format", "json"], ["show", "filename:clean"], ["status", "--json"], ["preset", "ls"],
      ["export", "--what", "tags"], ["waveform", "filename:clean", "-o", "-", "--format", "json"],
      ["render", "filename:clean", "-o", "-", "--format", "wav"],
      ["segment", "filename:clean", "-e", "1", "-o", "-", "--format", "wav"],
      ["scan", "--json"], ["preset", "edit", "mine", "--gain", "-3", "--json"], ["--help"], ["manual"],
    ] {
      let deadwax = try stage.copy()
      trial.countAttempt()
      let outcome = try await deadwax.run(question, standardOutput: URL(filePath: "/dev/full"))
      trial.expect(
        outcome.status == 1 && outcome.errorText.contains("No space left on device"), "\(question): \(outcome)")
      let closed = try await deadwax.run(after: "exec <&-", question)
      trial.expect(closed.status == 0, "\(question) without input: \(closed)")
      let users = try await question.contains("edit") ? UserDump(deadwax) : stage.users
      trial.expectNone(
        try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh),
        after: question.joined(separator: " "))
    }
  }
}
