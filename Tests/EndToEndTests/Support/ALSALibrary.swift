import TestSupport

/// The library that plays on sound devices, which not every machine has.
enum ALSALibrary {
  static let isInstalled =
    (try? Tool.run("sh", "-c", "PATH=$PATH:/sbin ldconfig -p | grep -q libasound.so.2")) != nil
  static let absence = "libasound2 is not installed"
}
