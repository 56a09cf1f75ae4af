internal import Logging
internal import MediaModel

/// Writes what happens to a file as one line to standard error: the file, the stage, and the message.
struct StandardErrorLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let parts = [all["file"]?.description, all["stage"]?.description, event.message.description]
    StandardError.line(TerminalText.escaped(parts.compactMap { $0 }.joined(separator: ": ")))
  }
}
