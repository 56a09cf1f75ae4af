/// The kinds of file that a picture can become; the raw value is the ending of their names.
package enum PictureFormat: String, CaseIterable, Sendable {
  case png
  case svg
  case pdf
}
