internal import Base
internal import Foundation
internal import Glibc

/// A `deadwax serve` of this user that listens at a port already, such as the user's service.
///
/// The token is in the address that `--open` opens, so nothing else may get it: the kernel says whose socket it is, and
/// that the process has the library open.
struct RunningServer {
  /// Whether it speaks TLS.
  let hasTLS: Bool

  private struct Listener {
    let user: uid_t
    let inode: String
  }

  /// nil if nobody listens there, if it is not this user's, or if it serves another library.
  init?(port: Int, library: BytePath) {
    let listeners = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.listeners(in: $0, port: port) }
    guard !listeners.isEmpty, listeners.allSatisfy({ $0.user == getuid() }) else { return nil }
    let sockets = Set(listeners.map { "socket:[\($0.inode)]" })
    var wanted = stat()
    guard library.withCString({ stat($0, &wanted) }) == 0 else { return nil }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in processes where process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let folder = "/proc/\(process)/fd"
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let listens = descriptors.contains { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")).map(sockets.contains)
          ?? false
      }
      guard listens else { continue }
      let hasLibrary = descriptors.contains { number in
        var status = stat()
        return stat("\(folder)/\(number)", &status) == 0 && status.st_dev == wanted.st_dev
          && status.st_ino == wanted.st_ino
      }
      guard hasLibrary else { return nil }
      let arguments = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
      hasTLS = arguments.split(separator: 0).contains { $0.starts(with: Data("--certificate".utf8)) }
      return
    }
    return nil
  }

  /// The sockets of a table of the kernel that listen at a port (`proc_pid_net(5)`).
  private static func listeners(in table: String, port: Int) -> [Listener] {
    let text = (try? String(contentsOfFile: table, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", let user = uid_t(fields[7]),
        let own = fields[1].split(separator: ":").last, Int(own, radix: 16) == port
      else { return nil }
      return Listener(user: user, inode: String(fields[9]))
    }
  }
}
