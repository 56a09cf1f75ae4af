internal import ArgumentParser
internal import Base
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging
internal import MediaDrawing
internal import MediaRendering
internal import Synchronization

/// How much a command prints, and in which colours.
struct OutputOptions: ParsableArguments {
  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Flag(name: [.short, .long], help: "Print only results and errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print more details.")
  var verbose = false

  @Option(help: "Use colours: auto, always or never.")
  var color = Color.auto

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }

  /// What drawings on standard output may use: colours by --color, else by the environment and whether there is a
  /// terminal.
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

  /// Whether a progress line can be shown.
  var showsProgress: Bool { !quiet && !verbose && StandardError.isTerminal && Self.value("TERM") != "dumb" }

  /// Writes to standard error: errors of the whole run, and with --verbose decisions about each file.
  var log: Logger {
    Logger(label: "deadwax") { _ in StandardErrorLog(logLevel: verbose ? .info : .error) }
  }

  /// Prints a line that says what was done, unless --quiet was given.
  func tell(_ text: @autoclosure () throws -> String) throws {
    if !quiet { try StandardOutput.line(TerminalText.escaped(text())) }
  }

  /// Says on standard error what is wrong with a track whose sound is used, unless --quiet was given.
  func warn(of damage: SoundDamage?) {
    if !quiet, let damage { StandardError.line(TerminalText.escaped(damage.text)) }
  }

  /// Says on standard error that there is nothing to list, unless --quiet was given.
  func tellNothing(_ text: String) {
    if !quiet { StandardError.line(text) }
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension OutputOptions {
  /// Calls `body`; after one second a terminal shows what is being done, and for how long.
  func showing<Value>(_ work: String, _ body: () throws -> Value) rethrows -> Value {
    guard showsProgress, ThreadSupply.canStartThread else { return try body() }
    let start = monotonicSeconds()
    let line = Mutex<ProgressLine?>(ProgressLine())
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      let text = "\(TerminalText.escaped(work)) · \(DurationText.clock(monotonicSeconds() - start))"
      line.withLock { $0?.show { DisplayWidth.truncated(text, toWidth: max($0, 0)) } }
    }
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.activate()
    defer {
      timer.cancel()
      // A handler that is running now shows nothing.
      line.withLock { line in
        line?.clear()
        line = nil
      }
    }
    return try body()
  }
}

/// Options that print results for programs instead of people.
struct DocumentOptions: ParsableArguments {
  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print one line of JSON for each item.")
  var jsonl = false

  var isWanted: Bool { json || jsonl }

  func validate() throws {
    if json && jsonl { throw ValidationError("--json and --jsonl exclude each other") }
  }

  /// Writes items: a line for each with `--jsonl`, else one document with the items under `key`, after `members`.
  func write(_ items: [JSONValue], under key: String, after members: [JSONValue.Member] = []) throws {
    guard jsonl else {
      let head = [JSONValue.Member("schema", .integer(1))] + members
      return try write(.object(head + [JSONValue.Member(key, .array(items))]))
    }
    for item in items { try StandardOutput.line(item.text) }
  }

  /// Writes a document: indented, or in one line with `--jsonl`.
  func write(_ document: JSONValue) throws {
    try StandardOutput.line(jsonl ? document.text : document.prettyText)
  }
}
