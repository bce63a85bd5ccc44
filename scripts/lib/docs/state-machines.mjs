/**
 * The state machines of docs/architecture/states.md. Each is a `TransitionTable` (libs/service/src/transition-table.ts).
 * @param {(file: string) => Promise<Record<string, any>>} load imports a module by its path below the root
 * @returns {Promise<import('./render-states.mjs').StateMachine[]>}
 */
export const listStateMachines = (load) =>
  Promise.all(
    MACHINES.map(async ({ table, ...machine }) => ({ ...machine, transitions: (await load(machine.file))[table] })),
  );

const MACHINES = [
  {
    name: 'Run',
    about: 'One execution of a workflow version.',
    file: 'apps/runs/src/engine/states/run-transitions.ts',
    table: 'RUN_TRANSITIONS',
  },
  {
    name: 'Subjob',
    about: 'The execution of one node, or of one child of it.',
    file: 'apps/runs/src/engine/states/subjob-transitions.ts',
    table: 'SUBJOB_TRANSITIONS',
  },
  {
    name: 'Task',
    about: "The engine's unit of dispatch.",
    file: 'apps/runs/src/engine/states/task-transitions.ts',
    table: 'TASK_TRANSITIONS',
  },
  {
    name: 'Sandbox session',
    about: 'A sandbox that a user opens to run commands.',
    file: 'apps/runs/src/sandbox/sessions/session-transitions.ts',
    table: 'SESSION_TRANSITIONS',
  },
  {
    name: 'Load',
    about: 'Reading the outputs of a run, or an upload, into a Live Table.',
    file: 'apps/datasets/src/ingest/loads/load-transitions.ts',
    table: 'LOAD_TRANSITIONS',
  },
  {
    name: 'Webhook delivery',
    about: 'A message of a webhook, with all its attempts.',
    file: 'apps/notifications/src/webhooks/deliveries/delivery-states.ts',
    table: 'DELIVERY_TRANSITIONS',
  },
];
