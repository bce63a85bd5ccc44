/**
 * The state machines of docs/architecture/states.md.
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
];
