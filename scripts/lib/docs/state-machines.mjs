/**
 * The state machines of docs/architecture/states.md.
 * @param {(file: string) => Promise<Record<string, any>>} load imports a module by its path below the root
 * @returns {Promise<import('./render-states.mjs').StateMachine[]>}
 */
export const listStateMachines = (load) =>
  Promise.all(
    MACHINES.map(async ({ table, toTransitions = asIs, ...machine }) => ({
      ...machine,
      transitions: toTransitions((await load(machine.file))[table]),
    })),
  );

/** @typedef {Record<string, Partial<Record<string, string>>>} Transitions for each state those that follow it, and when */

const asIs = (/** @type {Transitions} */ table) => table;

/**
 * A table of named transitions, each from several states. Those without a former state create the record.
 * @param {Record<string, { from: string[], to: string, when: string }>} table
 */
function fromNamedTransitions(table) {
  const named = Object.values(table);
  const states = [...new Set(named.flatMap(({ from, to }) => [...from, to]))];
  return Object.fromEntries(
    states.map((state) => [
      state,
      Object.fromEntries(named.filter(({ from }) => from.includes(state)).map(({ to, when }) => [to, when])),
    ]),
  );
}

/**
 * A table of events, each with the state that it leads to. Events that lead to the same state are listed together.
 * @param {Record<string, Record<string, string>>} table
 */
function fromEvents(table) {
  return Object.fromEntries(
    Object.entries(table).map(([state, events]) => [
      state,
      Object.fromEntries(
        [...Map.groupBy(Object.entries(events), ([, to]) => to)].map(([to, entries]) => [
          to,
          entries.map(([event]) => event.replaceAll('_', ' ')).join(', or '),
        ]),
      ),
    ]),
  );
}

const MACHINES = [
  {
    name: 'Run',
    about: 'One execution of a workflow version.',
    initial: ['PENDING', 'SUBMITTED'],
    file: 'apps/runs/src/engine/states/run-transitions.ts',
    table: 'RUN_TRANSITIONS',
  },
  {
    name: 'Subjob',
    about: 'The execution of one node, or of one child of it.',
    initial: ['PENDING'],
    file: 'apps/runs/src/engine/states/subjob-transitions.ts',
    table: 'SUBJOB_TRANSITIONS',
  },
  {
    name: 'Task',
    about: "The engine's unit of dispatch.",
    initial: ['WAITING', 'READY'],
    file: 'apps/runs/src/engine/states/task-transitions.ts',
    table: 'TASK_TRANSITIONS',
  },
  {
    name: 'Sandbox session',
    about: 'A sandbox that a user opens to run commands.',
    initial: ['starting'],
    file: 'apps/runs/src/sandbox/sessions/session-transitions.ts',
    table: 'SESSION_TRANSITIONS',
  },
  {
    name: 'Load',
    about: 'Reading the outputs of a run, or an upload, into a Live Table.',
    initial: ['PENDING', 'READING'],
    file: 'apps/datasets/src/ingest/loads/load-transitions.ts',
    table: 'LOAD_TRANSITIONS',
    toTransitions: fromNamedTransitions,
  },
  {
    name: 'Webhook delivery',
    about: 'A message of a webhook, with all its attempts.',
    initial: ['pending'],
    file: 'apps/notifications/src/webhooks/deliveries/delivery-states.ts',
    table: 'DELIVERY_TRANSITIONS',
    toTransitions: fromEvents,
  },
];
