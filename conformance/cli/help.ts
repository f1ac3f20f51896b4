/** What `--help` prints. */
export const HELP = `Checks any server for the HTTP interface to message queues.

Usage:
  atom-mq-conformance <base-url> [options]     check the server at this URL
  atom-mq-conformance list [--json]            every check: id, grade, feature, what it asks; --scenarios prints
                                               those that are scenarios; --only and --skip choose
  atom-mq-conformance explain <id>             a check or a clause: what it says, and how it is proved
  atom-mq-conformance probe <base-url>         find out what a server offers: a draft of its profile on stdout,
                                               what was tried and seen on stderr
  atom-mq-conformance scenario <base-url> [FILE]
                                               carry out a scenario, of the file or of standard input, and judge each
                                               step by a model of the interface
  atom-mq-conformance explore <base-url>       walk random scenarios with that model beside them; what must not be is
                                               shortened, asked again, and told
  atom-mq-conformance soak <base-url>          send and consume, many at once, with connections that break, and judge
                                               the history
  atom-mq-conformance compare <report.json>... [--html FILE]
                                               several targets' reports as one matrix
  atom-mq-conformance replay <report.json> [--check ID] [options]
                                               judge again what failed, or the checks that are named

Options:
  --profile FILE       JSON: what the target is and claims; without it, what a probe finds
  --header 'N: V'      a header to send with every request, such as credentials; may be repeated
  --origin URL         send the headers of the profile and of --header to this origin, too, where an answer leads
                       there; may be repeated. Otherwise they go to the target's own origin alone
  --scenarios FILE     rows of your own, asked beside the kit's checks; may be repeated
  --only GLOB          only checks whose ids match, as in --only 'lease.*'; may be repeated
  --skip GLOB          no checks whose ids match; may be repeated
  --reporter NAME      what stdout gets: pretty (the default), tap or json
  --json FILE          write the report as JSON too
  --junit FILE         write it as JUnit XML too
  --html FILE          write it as a page to read in a browser too
  --tap FILE           write it as TAP too
  --markdown FILE      write a summary for a build's page too
  --baseline FILE      JSON: known failures, which do not count; an entry that passes fails the run
  --repeat N           run everything N times: the worst counts, and what was not the same is shown
  --strict             let count what the document leaves open and the reference has chosen
  --jobs N             checks at once (8, or more for a target that is far away)
  --timeout MS         milliseconds of its own activity that a check may take (30000)
  --remember SECONDS   ask about guids, addresses and acknowledgements again, so long after they were sent at least
  --keep-exchanges     keep the exchanges of checks that passed in the report, too
  --keep-queues        leave the queues that the run made on the target
  --verbose            list every check on stdout, and all that was exchanged for those that failed
  --help, --version

Options of probe:
  --profile FILE       what is known already, as headers: it is tried first, and the rest is looked for
  --header 'N: V', --origin URL
                       as above
  --quick              wait for no lease to end: then its length and what renews it may be missing
  --notes FILE         write what was tried and seen there, and not to stderr

Options of scenario, beside --profile, --header and --origin:
  --json               tell it as JSON: steps, answers, what was broken, exchanges
  --html FILE          write it as a page too: who sent and held what until when, as lanes

Options of explore, beside --profile, --header, --origin and the files of reports:
  --seed N             the same seed walks the same scenarios (1)
  --runs N             how many scenarios (200)
  --replay FILE        only the scenario of this file, such as one that explore has saved
What is found is saved in the current folder, as explore-SEED-RUN.scenario; its path is printed.

Options of soak, beside --profile, --header, --origin and the files of reports:
  --seconds N          how long (60); then what is left is consumed
  --producers N, --consumers N
                       how many of each at once (4 and 8)
  --rate N             messages a second, of all producers together; as many as come
  --control            the target is a mock broker with --control: it makes faults of its own, too

Where the environment variable ATOM_MQ_SPECIFICATION has the address of the specification's page, explain and reports
link each clause to its place there.

Exit codes:
  0  conformant
  1  non-conformant: something that the document states, or that the target claims, is not so
  2  wrong usage, nothing answers at the URL, or nothing is wrong but a stale entry of the baseline
  3  incomplete: nothing failed, but something could not be checked; of probe: nothing useful was found
  4  the kit's own fault; every report is written all the same, and names the part that failed.
     DEBUG=atom-mq-conformance in the environment shows stack traces
  Where several are so, it is the first of 1, 4, 3, 2.
`
