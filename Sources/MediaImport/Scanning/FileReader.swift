internal import MediaModel
internal import MediaStore

/// Who has files read: says which, decides what is made of each, and takes what comes of it.
protocol FileReader: AnyObject {
  /// The next file to open; nil while there is none. Asked again after each file that is done.
  func nextFile() throws(ScanError) -> ScanPlan.Candidate?

  /// A file could not be opened.
  func couldNotOpen(_ candidate: ScanPlan.Candidate, _ error: SystemError, attempts: Int) throws(ScanError)

  /// Which products to make of a file, now that its sound is known; none for its tags only.
  func kinds(for jobID: Int, _ candidate: ScanPlan.Candidate, _ identity: Identity) throws(ScanError)
    -> Set<ProductKind>

  /// A file was read to its end.
  func finish(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction) throws(ScanError)

  /// A file that was being read will not be finished: its worker was lost, or the system does not give all of it. The file is
  /// to be read again or, with an `extraction`, given up.
  func abandon(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction?) throws(ScanError)

  /// Stores what is finished; all of it `atEnd`, else only when that is due.
  func commit(atEnd: Bool) throws(ScanError)
}
