/// The library that plays on sound devices, which not every machine has.
package enum ALSALibrary {
  package static let isInstalled =
    (try? Tool.run("sh", "-c", "PATH=$PATH:/sbin ldconfig -p | grep -q libasound.so.2")) != nil
  package static let absence = "libasound2 is not installed"
}
