/// The version of the program, by Semantic Versioning. scripts/test_package.py compares what repeats it.
package enum ProgramVersion {
  package static let current = "0.9.0"
}
