internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Logging
internal import MediaExport
internal import MediaImport
internal import MediaModel

/// How much a command says, and in which colours.
struct OutputOptions: ParsableArguments {
  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Flag(name: [.short, .long], help: "Say nothing but results and errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more.")
  var verbose = false

  @Option(help: "Colours: auto, always or never.")
  var color = Color.auto

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }

  /// What drawings on standard output may use: colours by --color, else by the environment and whether there is a terminal.
  var capabilities: TerminalCapabilities {
    var capabilities = TerminalCapabilities(
      environment: ProcessInfo.processInfo.environment, isTerminal: color == .always || StandardOutput.isTerminal)
    switch color {
    case .auto: break
    case .always: capabilities.colorDepth = max(capabilities.colorDepth, .palette256)
    case .never: capabilities.colorDepth = .none
    }
    return capabilities
  }

  /// Whether a line that rewrites itself has a place to stand.
  var showsProgress: Bool { !quiet && !verbose && StandardError.isTerminal && Self.value("TERM") != "dumb" }

  /// Where decisions about files go: with --verbose to standard error, else nowhere; what concerns the whole run always.
  var log: Logger {
    Logger(label: "deadwax") { _ in StandardErrorLog(logLevel: verbose ? .info : .error) }
  }

  /// Says in a line what was done, where nobody asked for silence.
  func tell(_ text: @autoclosure () throws -> String) throws {
    if !quiet { try StandardOutput.line(TerminalText.escaped(text())) }
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
