import { renderTable } from '../docs/render-table.mjs';

/** The edges in the order in which a run passes them, and what they are. */
export const EDGES = {
  claim: 'A worker claims the first dispatch of the run',
  start: 'A step starts in a dispatch that its worker has already claimed',
  'output-stored': 'A worker has stored the output of a step, and has not reported it',
  report: 'A report ends one of four children',
  gather: 'The last child has ended, and the step that gathers the outputs becomes ready',
  'cache-write': 'The result of a step is written to the cache',
  'last-report': 'The last report ends the run',
  stop: 'A user stops the run while its children run',
  pause: 'A user pauses the run',
  approval: 'A user approves a step',
  retry: 'A user retries a step of a run that has ended',
  collection: 'The collector decides to delete an output of a run that a user has deleted',
};

const INTRODUCTION = `# Reliability

A run survives the loss of any process, server or connection, at any point. This page says how that is tested, and shows the results of the last run of each case.

\`\`\`sh
npm run test:faults                                     # all cases; one to two hours on two cores, as root
npm run test:faults -- --seed 7 --case kill-worker      # the cases whose names begin with this
npm run test:faults -- --open                           # the cases that have not passed yet
npm run test:faults -- --save                           # writes the results into this page
\`\`\`

\`npm test\` runs eight of the quick cases, others each time. \`TEST_SEED\` chooses the same ones again.

## A case

\`kill-runs-at-last-report\`: a run of a workflow with four children has got its last report, and the transaction that ends the run waits in Postgres. The process that has sent it is killed. Then the transaction may go on, and the test waits until the run has ended and its effects have arrived. Nothing may be missing, and nothing may have happened twice.

1. The test starts a run on a system with **two copies of every service**.
2. It brings the run to an edge. A trigger in the test's database makes the transaction of the edge wait, within it (\`at\`) or in its COMMIT (\`after\`). The product has no switch for tests.
3. It injects the fault, into the process whose transaction waits, if the fault is about that service, and lets the edge pass. After an \`after\`, Postgres has committed, and the process is killed or stopped before it knows.
4. It ends the fault, waits until everything has settled, and checks all invariants.

## Invariants

| Invariant                                  | What is compared                                                                                                                                                           |
| ------------------------------------------ | -------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| Every run has ended as it should           | Status and number of ends of the run; tasks, dispatches, counts and bytes of all ended runs, as \`millrace admin check\` does                                                |
| Each item has one recorded result          | Children, outputs that are not replaced, the bytes of the gathered output, and the rows of the Live Table                                                                  |
| No process, slot, folder or lease is left  | Processes of the run, control groups of workers that have ended, folders of slots, dispatches, jobs of Redis, leases of requests and of deletions                          |
| Each event has its effects once            | Every event of the outbox against the inbox of each consumer; events about the end of a run, notifications, mails, webhook messages and loads; nothing has failed for good |
| The ledger has each attempt once           | Entries against attempts that have used processor time, and the sum of each run                                                                                            |
| No object is lost, and none is leaked      | The bytes of every object that a row refers to; objects without a reference that nothing will delete                                                                       |
| Times are in order, and none in the future | Creation, start and end of runs, subjobs and ledger entries                                                                                                                |

A test damages each of them, and sees the violation reported (\`e2e/faults/invariants\`).

## Faults

| Fault                | What happens                                                                                                                           |
| -------------------- | -------------------------------------------------------------------------------------------------------------------------------------- |
| \`kill\`               | SIGKILL of one process; the supervisor, or the test, starts another one                                                                |
| \`stop\`               | SIGSTOP for 30 s, which is longer than every lease, then SIGCONT; of Postgres, all its processes                                       |
| \`restart\`            | SIGTERM, as an orchestrator does                                                                                                       |
| \`flush-redis\`        | \`FLUSHALL\`                                                                                                                             |
| \`remove-jetstream\`   | NATS is killed and starts with an empty disk                                                                                           |
| \`cut-off\`            | The links of a worker to NATS, Redis or both pass nothing for 4 s or 15 s (the lease of a worker is 8 s); then all of it arrives, late |
| \`reports-duplicated\` | Each message with reports arrives twice                                                                                                |
| \`reports-late\`       | Messages with reports arrive 13 s late, after the worker has sent them again                                                           |
| \`reports-reordered\`  | They arrive late, the newest first, each twice                                                                                         |
| \`worker-clock\`       | The clock of the worker is an hour ahead or behind                                                                                     |
| \`full-disk\`          | The disk of the data directory, of the objects or of the logs has no free bytes, or no free inodes, for 6 s                            |

## Edges

`;

/** @param {import('./result-file.mjs').Results} results */
export function renderReliability(results) {
  const all = Object.entries(results);
  const ran = all.filter(([, result]) => result !== null);
  const failed = ran.filter(([, result]) => !result?.passed).map(([name]) => name);
  const edges = renderTable([
    ['Edge', 'What happens'],
    ...Object.entries(EDGES).map(([name, what]) => [`\`${name}\``, what]),
  ]);
  const summary = `${all.length} cases: ${ran.length - failed.length} passed, ${failed.length} failed, ${all.length - ran.length} did not run yet.`;
  const problems = failed.length === 0 ? '' : `\nFailed:\n\n${failed.map((name) => `- \`${name}\``).join('\n')}\n`;
  return `${INTRODUCTION}${edges}

## Results

${summary} A number is the duration in seconds of a case that passed, ✗ one that failed, and ○ one that did not run yet. An empty cell has no case.
${problems}
${renderTable(matrixOf(results))}
`;
}

/** @param {import('./result-file.mjs').Results} results a row for each fault, a column for each edge */
function matrixOf(results) {
  const edges = Object.keys(EDGES);
  /** @type {Map<string, Map<string, string>>} */
  const rows = new Map();
  for (const [name, result] of Object.entries(results)) {
    const edge = edges.find((one) => name.endsWith(`-at-${one}`) || name.endsWith(`-after-${one}`)) ?? '';
    const start = name.slice(0, -edge.length - 1);
    const fault = start.replace(/-at$/, '');
    const row = rows.get(fault) ?? new Map();
    rows.set(fault, row.set(edge, result === null ? '○' : result.passed ? String(result.seconds) : '✗'));
  }
  return [
    ['Fault', ...edges],
    ...[...rows].map(([fault, row]) => [`\`${fault}\``, ...edges.map((edge) => row.get(edge) ?? '')]),
  ];
}
