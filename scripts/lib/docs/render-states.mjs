import { renderTable } from './render-table.mjs';

/**
 * @typedef {object} StateMachine
 * @property {string} name heading of its section
 * @property {string} about one sentence
 * @property {Readonly<Record<string, { from: readonly string[], to: string, when: string }>>} transitions by event
 * @property {string} file path of the table's file, below the root
 */

const HEADER = `# States

Every state machine is a table in the code. This page is made from those tables by \`npm run docs:states\`. A transition without a state under _From_ creates the record. A state that no transition leaves is final.
`;

/**
 * The page docs/architecture/states.md.
 * @param {readonly StateMachine[]} machines
 */
export const renderStates = (machines) => [HEADER, ...machines.map(renderMachine), FOOTER].join('\n');

const FOOTER = `## Isolation slot

The states of a slot, its sandbox, its command and its contents are events and states of their own: see [isolation slots](slot.md).
`;

/** @param {StateMachine} machine */
function renderMachine({ name, about, transitions, file }) {
  const all = Object.values(transitions);
  const edges = all.flatMap(({ from, to }) =>
    (from.length === 0 ? ['[*]'] : from).map((state) => `${state} --> ${to}`),
  );
  const final = listStates(transitions).filter((state) => !all.some(({ from }) => from.includes(state)));
  const diagram = ['stateDiagram-v2', ...new Set([...edges, ...final.map((state) => `${state} --> [*]`)])];
  const rows = all.map(({ from, to, when }) => [from.map(quote).join(', '), quote(to), when]);
  return `## ${name}

${about} The table is in [\`${file}\`](../../${file}).

\`\`\`mermaid
${diagram.join('\n  ')}
\`\`\`

${renderTable([['From', 'To', 'When'], ...rows])}
`;
}

/** @param {string} state */
const quote = (state) => `\`${state}\``;

/**
 * The states of a machine, in the order in which its transitions name them.
 * @param {StateMachine['transitions']} transitions
 */
export const listStates = (transitions) => [
  ...new Set(Object.values(transitions).flatMap(({ from, to }) => [...from, to])),
];
