import Base
import CWorker
import Foundation
import Glibc
import TestSupport
import Testing

/// Programs of others that are started by this one.
struct ConfinedProgramTests {
  /// What a shell prints; empty if it cannot be started.
  private func output(of script: String, input: String = "") -> String {
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for text in arguments + environment { free(text) } }
    var limits = dw_limits(address_space_bytes: 1 << 30, open_descriptors: 32)
    var descriptor: Int32 = -1
    let child = dw_start_confined(
      "/bin/sh", &arguments, &environment, input, input.utf8.count, &limits, 10, &descriptor)
    guard child > 0 else { return "" }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let data = handle.readDataToEndOfFile()
    waitpid(child, nil, 0)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `it reads its input and the files of the system`() {
    #expect(
      output(of: "cat; head -c 4 /usr/bin/env | wc -c", input: "words\n").split(separator: "\n") == ["words", "4"])
  }

  @Test(.enabled(if: dw_landlock_version() > 0, "the kernel has no Landlock"))
  func `it neither reads nor writes the files of users`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("secret")
    try Data("secret".utf8).write(to: URL(filePath: file.displayString))
    let text = output(of: "cat '\(file.displayString)'; ls /home /root; echo x > '\(file.displayString)2'; echo end")
    #expect(text == "end\n")
    #expect(!FileManager.default.fileExists(atPath: file.displayString + "2"))
  }

  @Test(.enabled(if: Tool.exist("python3"), "python3 is not installed"))
  func `it opens no sockets`() {
    let script = "import socket\ntry:\n  socket.socket()\nexcept PermissionError:\n  print('refused')"
    #expect(output(of: "python3 -c \"\(script)\"") == "refused\n")
  }
}
