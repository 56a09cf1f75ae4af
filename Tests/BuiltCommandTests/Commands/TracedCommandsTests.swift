import Foundation
import Testing
import TestSupport

/// The system calls of commands: media files are opened and read, never mapped; nothing that they name is opened; and a
/// command that gives one answer starts no thread.
@Suite(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
struct TracedCommandsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
  }

  /// The calls of a command and its workers, a line each, with the paths of descriptors.
  private func trace(_ calls: String, of arguments: [String]) async throws -> [Substring] {
    let file = deadwax.home.appending("trace")
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      ["-f", "-y", "-s", "4096", "-o", file.path, "-e", "trace=\(calls)"]
        + [DeadwaxCommand.executable.path] + arguments)
    try #require(outcome.status == 0, "\(outcome)")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
  }

  // Faults: 39
  @Test func `nothing that a playlist names is opened, and nobody is connected to`() async throws {
    let secret = try MusicFolder()
    try secret.addSilence(seconds: 1, as: "secret.wav")
    let named = secret.file("secret.wav").path
    let texts = [
      "hls.mp3": "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nfile://\(named)\n#EXTINF:1,\nhttp://127.0.0.1:9/secret.ts\n",
      "concat.mp3": "ffconcat version 1.0\nfile '\(named)'\n", "list.mp3": "#EXTM3U\n\(named)\n",
      "list.m3u8": "#EXTM3U\n\(named)\n", "list.pls": "[playlist]\nFile1=\(named)\n",
      "sheet.cue": "FILE \"\(named)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
      "sheet.wav": "FILE \"\(named)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
      "page.ogg": "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file://\(named)'>]><playlist>&b;</playlist>",
    ]
    for (name, text) in texts { try music.write(Array(text.utf8), to: name) }
    try music.add(fixture: "damaged/clean.mp3", as: "sound.mp3")

    let lines = try await trace("open,openat,openat2,socket,connect,bind,execve", of: ["scan", music.path])
    // The trace contains such calls at all.
    #expect(lines.contains { $0.contains("openat") && $0.contains("sound.mp3") })
    #expect(lines.contains { $0.contains("openat") && $0.contains("hls.mp3") })
    #expect(!lines.contains { $0.contains("secret") })
    #expect(!lines.contains { $0.contains(" connect(") || $0.contains(" bind(") })
    // Each worker tries once whether its filter of system calls refuses a socket. A call that another process interrupts in the
    // trace has its result on a line of its own.
    let sockets = lines.filter { $0.contains(" socket(") || $0.contains("<... socket resumed>") }
    #expect(sockets.allSatisfy { $0.contains("EPERM") || $0.contains("<unfinished ...>") })
    // The command, and itself once more for each worker.
    let programs = lines.filter { $0.contains(" execve(") }
    #expect(!programs.isEmpty)
    #expect(programs.allSatisfy { $0.contains("deadwax") || $0.contains("/proc/self/exe") })

    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let states = try list.lines(TrackRow.self).map { (URL(filePath: $0.path).lastPathComponent, $0.state) }
    for name in ["hls.mp3", "concat.mp3", "list.mp3", "sheet.wav", "page.ogg"] {
      #expect(states.contains { $0 == (name, "unsupported") }, "\(name)")
    }
  }

  // Faults: 35
  @Test func `media files are read, never mapped`() async throws {
    for name in [
      "clean.mp3", "length-unknown.flac", "chained.ogg", "streamed.wav", "truncated.wav", "hole.ogg",
      "hostile-tags.mp3",
    ] {
      try music.add(fixture: "damaged/\(name)", as: name)
    }
    let lines = try await trace("mmap,pread64,read", of: ["scan", music.path])
    #expect(lines.contains { $0.contains(" pread64(") && $0.contains(music.path + "/clean.mp3") })
    #expect(lines.contains { $0.contains(" mmap(") })
    #expect(!lines.contains { $0.contains(" mmap(") && $0.contains(music.path) })
  }

  @Test func `a command that reads or writes a row starts no thread`() async throws {
    try music.add(fixture: "damaged/clean.mp3", as: "clean.mp3")
    let starts = "clone,clone3,execve"
    // The trace would contain it.
    #expect(try await trace(starts, of: ["scan", music.path]).contains { $0.contains(" clone") })
    let commands = [
      ["ls"], ["show", "1"], ["status"], ["preset", "copy", "bass", "Mine"],
      ["preset", "edit", "mine", "--gain", "-1"], ["list", "save", "all", "ext:mp3"],
    ]
    for command in commands {
      let lines = try await trace(starts, of: command)
      #expect(lines.contains { $0.contains(" execve(") })
      #expect(!lines.contains { $0.contains(" clone") }, "\(command)")
    }
  }
}
