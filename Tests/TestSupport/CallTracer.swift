package import Foundation

/// `strace`, which makes system calls of another program fail.
package enum CallTracer {
  package static let executable = URL(filePath: "/usr/bin/strace")
  package static let absence = "strace is not here, or may not trace"

  /// Whether calls can be made to fail here.
  package static let isPossible =
    Tool.exist("strace")
    && (try? Tool.run("strace", "-o", "/dev/null", "-e", "inject=getdents64:error=EIO", "/bin/true")) != nil
}
