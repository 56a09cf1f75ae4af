internal import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package var call: String
  /// The value of errno.
  package var code: Int32
  package var detail: String?

  /// Takes the present errno unless `code` is given.
  package init(call: String, code: Int32? = nil, detail: String? = nil) {
    self.call = call
    self.code = code ?? errno
    self.detail = detail
  }

  package var description: String { detail ?? String(cString: strerror(code)) }
}
