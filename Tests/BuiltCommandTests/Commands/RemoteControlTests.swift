import Foundation
import TestSupport
import Testing

/// `play` on a session bus of its own, asked and controlled by dbus-send.
@Suite(
  .enabled(if: ALSALibrary.isInstalled, "\(ALSALibrary.absence)"),
  .enabled(if: Tool.exist("dbus-run-session", "dbus-send"), "dbus is not installed"))
struct RemoteControlTests {
  private let music: MusicFolder
  private let deadwax: DeadwaxCommand

  init() async throws {
    music = try MusicFolder()
    deadwax = try DeadwaxCommand()
    for (name, seconds) in [("1 first", 60), ("2 second & last", 61)] {
      try music.addSilence(seconds: seconds, as: "\(name).wav")
    }
    try await deadwax.must(["scan", music.path])
    // A device that takes a second for the samples of one.
    let clock = "| timeout 60 sh -c 'while [ $(head -c 35280 | wc -c) -gt 0 ]; do sleep 0.1; done'"
    let text = "pcm.slow { type file slave.pcm { type null } file \"\(clock)\" format \"raw\" }\n"
    try Data(text.utf8).write(to: deadwax.home.appending("asound.conf"))
  }

  /// Runs a script in which `get NAME` prints a property of the player and `call NAME…` calls a method of it.
  private func played(_ script: String) async throws -> CommandOutcome {
    let session = """
      export ALSA_CONFIG_PATH="$HOME/asound.conf"
      deadwax play --device slow --no-screen path:.wav 'filename+' &
      for try in $(seq 100); do
        name=$(dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames |
          grep -o 'org.mpris.MediaPlayer2.deadwax.instance[0-9]*') && break
        sleep 0.1
      done
      object=/org/mpris/MediaPlayer2 player=org.mpris.MediaPlayer2.Player properties=org.freedesktop.DBus.Properties
      get() { dbus-send --print-reply=literal --dest=$name $object $properties.Get string:$player "string:$1"; }
      call() { local method=$1; shift; dbus-send --print-reply=literal --dest=$name $object $player.$method "$@"; }
      until_is() { for try in $(seq 100); do get "$1" | grep -q "$2" && break; sleep 0.1; done; get "$1"; }
      until_is PlaybackStatus Playing
      \(script)
      call Stop
      wait
      """
    let file = deadwax.home.appending("session.sh")
    try Data(session.utf8).write(to: file)
    let outcome = try await deadwax.shell("exec dbus-run-session -- bash \(file.path)")
    #expect(outcome.status == 0, "\(outcome)")
    return outcome
  }

  @Test func `a desktop sees the track and pauses it`() async throws {
    let outcome = try await played(
      "until_is Metadata trackid; call PlayPause; until_is PlaybackStatus Paused; get CanSeek")
    let text = outcome.text
    #expect(text.contains("variant       Playing") && text.contains("variant       Paused"), "\(text)")
    #expect(text.contains("/org/deadwax/track/0") && text.contains("int64 60000000"))
    #expect(text.contains("file://") && text.contains("1%20first.wav"))
    #expect(text.contains("boolean true"))
  }

  @Test func `next, seek and volume do what they say`() async throws {
    let outcome = try await played(
      """
      call Next; until_is Metadata track/1
      call SetPosition objpath:/org/deadwax/track/1 int64:30000000; until_is Position 'int64 3[0-9]\\{7\\}$'
      call SetPosition objpath:/org/deadwax/track/0 int64:1000000
      call Seek int64:-20000000; until_is Position 'int64 1[0-9]\\{7\\}$'
      dbus-send --print-reply --dest=$name $object $properties.Set string:$player string:Volume variant:double:0.25 > /dev/null
      until_is Volume 0.25
      """)
    let text = outcome.text
    #expect(text.contains("/org/deadwax/track/1") && text.contains("2%20second%20%26%20last.wav"), "\(text)")
    #expect(text.contains("int64 3") && text.contains("int64 1") && text.contains("double 0.25"))
  }

  @Test func `changes are told, and what is not there is an error`() async throws {
    let outcome = try await played(
      """
      dbus-monitor --session "type='signal',interface='$properties'" > "$HOME/signals" & monitor=$!
      sleep 0.5; call Pause; until_is PlaybackStatus Paused; sleep 0.5; kill $monitor
      cat "$HOME/signals"
      call Dance 2>&1; get Colour 2>&1
      dbus-send --print-reply=literal --dest=$name $object org.freedesktop.DBus.Introspectable.Introspect
      """)
    let text = outcome.text
    #expect(text.contains("PropertiesChanged") && text.contains("string \"Paused\""), "\(text)")
    #expect(text.contains("UnknownMethod") && text.contains("there is no Colour here"))
    #expect(text.contains("<interface name=\"org.mpris.MediaPlayer2.Player\">"))
  }
}
