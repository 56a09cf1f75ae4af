/// The one function that Callgrind collects in and dumps after.
///
/// It is found by its name, so it must not be inlined.
@inline(never)
func countedRun(_ work: () -> Void) { work() }
