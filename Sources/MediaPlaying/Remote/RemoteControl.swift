package import Base
internal import CDBus
internal import Foundation
internal import Synchronization

/// Lets the desktop, its keys for media and other programs see and control a player: MPRIS 2.2 over D-Bus.
///
/// It works on a thread of its own. Without a session bus, or without libdbus, nothing happens.
package final class RemoteControl: @unchecked Sendable {
  package static var library: SharedLibrary {
    SharedLibrary(
      "libdbus", dw_dbus_load(), version: dw_dbus_version(),
      without: "desktops and keys for media cannot control `play`")
  }

  private static let path = "/org/mpris/MediaPlayer2"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// So late is a change of the player told.
  private static let intervalInMilliseconds: Int32 = 100
  /// A position that differs by more from where it should be is one that somebody went to.
  private static let jumpInSeconds = 0.5

  private let player: Player
  private let hasEnded = Mutex(false)

  // The thread's own.
  /// What the bus was told last, but for the position.
  private var told: [String: BusValue] = [:]
  private var position: (place: Int, seconds: Double, at: Double, isMoving: Bool)?

  package init(_ player: Player) { self.player = player }

  /// Begins, if there is a bus.
  package func start() {
    guard Self.hasSessionBus, dw_dbus_load() == nil else { return }
    let thread = Thread { self.run() }
    thread.name = "mpris"
    thread.stackSize = 1 << 19
    thread.start()
  }

  /// Leaves the bus soon.
  package func end() { hasEnded.withLock { $0 = true } }

  /// The library would start a bus of its own for a desktop that has none.
  private static var hasSessionBus: Bool {
    let environment = ProcessInfo.processInfo.environment
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
    return FileManager.default.fileExists(atPath: folder + "/bus")
  }

  private func run() {
    let name = "org.mpris.MediaPlayer2.deadwax.instance\(ProcessInfo.processInfo.processIdentifier)"
    guard let bus = dw_bus_connect(name) else { return }
    defer { dw_bus_close(bus) }
    told = PlayerProperties(of: player).told
    while !hasEnded.withLock({ $0 }) {
      var isGone: Int32 = 0
      if let call = dw_bus_wait(bus, Self.intervalInMilliseconds, &isGone) {
        dw_bus_send(bus, answer(to: call))
        dw_message_free(call)
      }
      if isGone != 0 { return }
      tellChanges(on: bus)
    }
  }

  // MARK: Changes

  private func tellChanges(on bus: OpaquePointer) {
    let present = PlayerProperties(of: player)
    let changes = present.told.filter { told[$0.key] != $0.value }
    told = present.told
    if !changes.isEmpty, let signal = dw_message_signal(Self.path, Self.properties, "PropertiesChanged") {
      for value in [.text(PlayerProperties.interface), .dictionary(changes), .texts([])] as [BusValue] {
        value.write(to: signal)
      }
      dw_bus_send(bus, signal)
    }
    let now = monotonicSeconds()
    let state = player.state
    if let last = position, last.place == state.place {
      let expected = last.seconds + (last.isMoving ? now - last.at : 0)
      if abs(state.positionInSeconds - expected) > Self.jumpInSeconds,
        let signal = dw_message_signal(Self.path, PlayerProperties.interface, "Seeked")
      {
        BusValue.integer(PlayerProperties.microseconds(state.positionInSeconds)).write(to: signal)
        dw_bus_send(bus, signal)
      }
    }
    position = (state.place, state.positionInSeconds, now, !state.isPaused)
  }

  // MARK: Calls

  private func answer(to call: OpaquePointer) -> OpaquePointer? {
    let (interface, member) = (
      String(cString: dw_message_interface(call)), String(cString: dw_message_member(call))
    )
    switch interface {
    case Self.properties: return property(member, call)
    case "org.freedesktop.DBus.Introspectable":
      let reply = dw_message_reply(call)
      if let reply { BusValue.text(PlayerProperties.introspection).write(to: reply) }
      return reply
    case PlayerProperties.rootInterface, PlayerProperties.interface:
      return method(member, call) ? dw_message_reply(call) : Self.unknown(member, call)
    default: return Self.unknown(member, call)
    }
  }

  private static func unknown(_ member: String, _ call: OpaquePointer) -> OpaquePointer? {
    dw_message_error(call, "org.freedesktop.DBus.Error.UnknownMethod", "there is no \(member) here")
  }

  /// - Returns: false for a method that there is not.
  private func method(_ name: String, _ call: OpaquePointer) -> Bool {
    switch name {
    case "Next": player.step(by: 1)
    case "Previous": player.step(by: -1)
    case "Pause": player.pause(true)
    case "Play": player.pause(false)
    case "PlayPause": player.pause(!player.state.isPaused)
    case "Stop", "Quit": player.stop()
    case "Seek":
      var offset: Int64 = 0
      if dw_message_read_integer(call, &offset) != 0 { player.seek(bySeconds: Double(offset) / 1e6) }
    case "SetPosition": setPosition(call)
    case "Raise": break
    default: return false
    }
    return true
  }

  /// A position in another track, or outside of this one, is ignored, as the specification asks.
  private func setPosition(_ call: OpaquePointer) {
    var (track, position): (UnsafePointer<CChar>?, Int64) = (nil, 0)
    guard dw_message_read_text(call, &track) != 0, dw_message_read_integer(call, &position) != 0 else { return }
    let state = player.state
    guard let track, let played = state.track, String(cString: track) == PlayerProperties.path(ofPlace: state.place)
    else { return }
    let seconds = Double(position) / 1e6
    guard seconds >= 0, seconds <= played.durationInSeconds else { return }
    player.seek(toFrame: played.frames.lowerBound + Int64(seconds * Double(played.sampleRateInHz)))
  }

  private func property(_ member: String, _ call: OpaquePointer) -> OpaquePointer? {
    var text: UnsafePointer<CChar>?
    guard dw_message_read_text(call, &text) != 0, let text else { return Self.unknown(member, call) }
    let interface = String(cString: text)
    let values = PlayerProperties(of: player).all(of: interface)
    if member == "GetAll" {
      let reply = dw_message_reply(call)
      if let reply { BusValue.dictionary(values).write(to: reply) }
      return reply
    }
    var nameText: UnsafePointer<CChar>?
    guard dw_message_read_text(call, &nameText) != 0, let nameText else { return Self.unknown(member, call) }
    let name = String(cString: nameText)
    if member == "Get", let value = values[name] {
      let reply = dw_message_reply(call)
      if let reply { value.writeAsVariant(to: reply) }
      return reply
    }
    if member == "Set", values[name] != nil {
      guard set(name, call) else {
        return dw_message_error(call, "org.freedesktop.DBus.Error.PropertyReadOnly", "\(name) cannot be set to that")
      }
      return dw_message_reply(call)
    }
    return dw_message_error(call, "org.freedesktop.DBus.Error.UnknownProperty", "there is no \(name) here")
  }

  /// - Returns: false for a property that cannot be set, or a value that it cannot have.
  private func set(_ name: String, _ call: OpaquePointer) -> Bool {
    switch name {
    case "Volume":
      var volume = 0.0
      guard dw_message_read_real(call, &volume) != 0, volume.isFinite else { return false }
      player.setVolume(volume, isMuted: false)
    case "LoopStatus":
      var text: UnsafePointer<CChar>?
      guard dw_message_read_text(call, &text) != 0, let text,
        let repetition = PlayerProperties.repetition(named: String(cString: text))
      else { return false }
      player.changeQueue { $0.repetition = repetition }
    case "Rate":
      // There is one rate: that of the preset.
      var rate = 0.0
      return dw_message_read_real(call, &rate) != 0 && rate == 1
    default: return false
    }
    return true
  }
}
