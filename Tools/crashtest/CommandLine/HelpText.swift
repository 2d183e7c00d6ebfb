/// What `--help` says.
enum HelpText {
  static let text = """
    usage: crashtest CAMPAIGN [--seed S] [--count N] [--jobs J]

    Campaigns:
      power   Records everything that a workload writes, and opens what power cuts and the death of the process would
              have left at any moment. N images.
      kill    Kills writing processes at any moment, beside processes that read. N deaths.
      faults  Fails every call to the system in turn, once and from then on, and every allocation of LMDB. At most N
              faults; without --count all of them.
      damage  Damages closed stores of records, and reads them. N stores.
      soak    Works with one store for N seconds, with readers, and looks after each second whether everything is right and
              nothing grows.
      push    Simulates clients that work offline, their server and a bad network between them; clients are restarted and
              killed. In the end all must agree, and nothing that was saved may be lost. N simulations.

    Options:
      --workload NAME   Only this workload: \(Workload.allCases.map(\.rawValue).joined(separator: ", ")).
      --variant NAME    A store that is broken on purpose, which must fail: \
    \(Variant.allCases.map(\.rawValue).joined(separator: ", ")).
      --variants        Every variant in turn, each until it is caught.
      --replay FOLDER   Looks again at what a failure has left in the folder.
      --case N          Runs one case again.
      --failures PATH   Where failures are kept.

    The last line is "N passed, N failed", and the exit code is 0 only if nothing failed.
    """
}
