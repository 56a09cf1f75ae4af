internal import ArgumentParser
internal import Base
internal import Glibc

/// The process of the command.
package enum Program {
  /// Runs the command with the arguments of this process; ends the process if it fails.
  ///
  /// - Parameter commit: What was built; empty if that was not recorded.
  package static func main(encryption: OfferedEncryption.Maker? = nil, commit: String = "") {
    OfferedEncryption.maker = encryption
    VersionText.commit = commit
    StandardStreams.fillGaps()
    // Without the signal a closed pipe is a failed write, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    // So is a file at its size limit (`ulimit -f`), which is reported.
    signal(SIGXFSZ, SIG_IGN)
    // If inherited as ignored, the exit status of workers could not be read.
    signal(SIGCHLD, SIG_DFL)
    let arguments = CommandLine.rawArguments.dropFirst().map(ArgumentText.text(ofBytes:))
    let status = status(of: arguments)
    if status != 0 { Glibc.exit(status) }
  }

  /// Runs the command with arguments, reports its failure, and returns the exit status.
  package static func status(of arguments: [String]) -> Int32 {
    do {
      try run(arguments)
      return 0
    } catch {
      return CommandFailure.report(error)
    }
  }

  private static func run(_ arguments: [String]) throws {
    // Scripts ask often; parsing would cost more than the rest of the start.
    if let version = VersionText.asked(by: arguments) {
      try StandardOutput.line(version)
      return try StandardOutput.flush()
    }
    var command = try parsed(arguments)
    guard DescriptorSupply.canOpen(neededDescriptorCount) else {
      throw SystemError(
        call: "open", code: EMFILE, detail: "fewer than \(neededDescriptorCount) files can be opened (ulimit -n)")
    }
    try command.run()
    try StandardOutput.flush()
  }

  /// Dispatch traps if it finds no descriptor when it looks after its threads, so a command needs some to spare.
  private static let neededDescriptorCount = 32

  /// The command that arguments ask for.
  ///
  /// - Throws: What ``CommandFailure`` reports with status 64; what asks for help or the version is an error, too.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    guard !arguments.isEmpty else {
      // The Swift runtime reads the arguments from there.
      throw ValidationError(
        access("/proc/self/cmdline", R_OK) == 0
          ? "no command given; `deadwax help` lists the commands"
          : "the arguments cannot be read, because /proc is not mounted")
    }
    let parsed = Result { try Deadwax.parseAsRoot(arguments) }
    // The parser's own command shows help.
    if case .success(let command) = parsed, Self.declares(type(of: command), below: Deadwax.self) { return command }
    if let explanation = UsageExplanation.of(arguments) { throw explanation }
    return try parsed.get()
  }

  private static func declares(_ command: any ParsableCommand.Type, below root: any ParsableCommand.Type) -> Bool {
    command == root || root.configuration.subcommands.contains { declares(command, below: $0) }
  }
}

extension CommandLine {
  /// The arguments as the system passed them: bytes in any encoding.
  fileprivate static var rawArguments: [[UInt8]] {
    (0..<Int(argc)).compactMap { index in
      unsafeArgv[index].map { argument in
        UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      }
    }
  }
}

/// The three streams that a process should start with.
enum StandardStreams {
  /// Opens /dev/null for each stream that is closed; otherwise the next file to be opened would get its number, and
  /// output would be written into it.
  static func fillGaps() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Opened for the opposite direction, so that reading or writing still fails.
      var opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      // Without devices a folder does it, too: it can be neither written nor read.
      if opened < 0 { opened = open("/", O_RDONLY) }
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }
}
