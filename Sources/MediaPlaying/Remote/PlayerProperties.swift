internal import Base
internal import LibraryTracks
internal import MediaRendering
internal import UserData

/// What a player is and does, as MPRIS 2.2 names it.
struct PlayerProperties {
  static let rootInterface = "org.mpris.MediaPlayer2"
  static let interface = "org.mpris.MediaPlayer2.Player"

  /// Whose changes are told.
  let told: [String: BusValue]
  private let positionInSeconds: Double

  init(of player: Player) {
    let state = player.state
    positionInSeconds = state.positionInSeconds
    let isStopped = state.track == nil || state.isFinished
    told = [
      "PlaybackStatus": .text(isStopped ? "Stopped" : state.isPaused ? "Paused" : "Playing"),
      "LoopStatus": .text(Self.name(of: player.repetition)),
      "Rate": .real(1), "MinimumRate": .real(1), "MaximumRate": .real(1),
      "Volume": .real(state.isMuted ? 0 : state.volume),
      "Metadata": .dictionary(state.track.map { Self.metadata(of: $0, at: state.place) } ?? [:]),
      "CanGoNext": .flag(state.place + 1 < player.itemCount || player.repetition == .all),
      "CanGoPrevious": .flag(true), "CanPlay": .flag(true), "CanPause": .flag(true), "CanSeek": .flag(true),
      "CanControl": .flag(true),
    ]
  }

  func all(of interface: String) -> [String: BusValue] {
    switch interface {
    case Self.rootInterface:
      [
        "CanQuit": .flag(true), "CanRaise": .flag(false), "HasTrackList": .flag(false), "Identity": .text("Deadwax"),
        "DesktopEntry": .text("deadwax"), "SupportedUriSchemes": .texts([]), "SupportedMimeTypes": .texts([]),
      ]
    case Self.interface: told.merging(["Position": .integer(Self.microseconds(positionInSeconds))]) { $1 }
    default: [:]
    }
  }

  static func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e6).rounded()) }

  /// The object of a track: its place in the queue.
  static func path(ofPlace place: Int) -> String { "/org/deadwax/track/\(place)" }

  static func name(of repetition: PlayQueue.Repetition) -> String {
    switch repetition {
    case .off: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }

  static func repetition(named name: String) -> PlayQueue.Repetition? {
    PlayQueue.Repetition.allCases.first { self.name(of: $0) == name }
  }

  private static func metadata(of track: PlayedTrack, at place: Int) -> [String: BusValue] {
    var values: [String: BusValue] = [
      "mpris:trackid": .path(path(ofPlace: place)),
      "mpris:length": .integer(microseconds(track.durationInSeconds)),
      "xesam:title": .text(track.title ?? track.label),
    ]
    if let artist = track.artist, !artist.isEmpty { values["xesam:artist"] = .texts([artist]) }
    if let cover = track.coverFile { values["mpris:artUrl"] = .text(address(of: cover)) }
    if let file = track.source.track.files.first { values["xesam:url"] = .text(address(of: file)) }
    return values
  }

  /// The URI of a file (RFC 8089), whatever bytes its name has.
  static func address(of path: BytePath) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    let bytes = path.bytes.flatMap { byte -> [UInt8] in
      plain.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    }
    return "file://" + String(decoding: bytes, as: UTF8.self)
  }

  /// What the object has, for programs that ask before they call.
  static let introspection: String = {
    func properties(_ lines: [(String, String, String)]) -> String {
      lines.map { "<property name=\"\($0.0)\" type=\"\($0.1)\" access=\"\($0.2)\"/>" }.joined()
    }
    func methods(_ names: [String]) -> String { names.map { "<method name=\"\($0)\"/>" }.joined() }
    let flags = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl"]
    return """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node><interface name="\(rootInterface)">\(methods(["Raise", "Quit"]))\
      \(properties(["CanQuit", "CanRaise", "HasTrackList"].map { ($0, "b", "read") }))\
      \(properties(["Identity", "DesktopEntry"].map { ($0, "s", "read") }))\
      \(properties(["SupportedUriSchemes", "SupportedMimeTypes"].map { ($0, "as", "read") }))</interface>
      <interface name="\(interface)">\(methods(["Next", "Previous", "Pause", "PlayPause", "Stop", "Play"]))\
      <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>\
      <method name="SetPosition"><arg name="TrackId" type="o" direction="in"/>\
      <arg name="Position" type="x" direction="in"/></method>\
      <signal name="Seeked"><arg name="Position" type="x"/></signal>\
      \(properties([("PlaybackStatus", "s", "read"), ("LoopStatus", "s", "readwrite"), ("Rate", "d", "readwrite")]))\
      \(properties([("Metadata", "a{sv}", "read"), ("Volume", "d", "readwrite"), ("Position", "x", "read")]))\
      \(properties([("MinimumRate", "d", "read"), ("MaximumRate", "d", "read")]))\
      \(properties(flags.map { ($0, "b", "read") }))</interface></node>
      """
  }()
}
