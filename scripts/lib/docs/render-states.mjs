/**
 * @typedef {object} StateMachine
 * @property {string} name heading of its section
 * @property {string} about one sentence
 * @property {string[]} initial states that it can start in
 * @property {Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>} transitions for each state those that follow it, and when
 * @property {string} file where the table is, below the root
 */

const HEADER = `# States

Every state machine is a table in the code. This page is made from those tables by \`npm run docs:states\`. A state without a way out is final.
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
function renderMachine({ name, about, initial, transitions, file }) {
  const edges = Object.entries(transitions).flatMap(([from, next]) =>
    Object.entries(next).map(([to, when = '']) => ({ from, to, when })),
  );
  const final = Object.keys(transitions).filter((state) => Object.keys(transitions[state] ?? {}).length === 0);
  const diagram = [
    'stateDiagram-v2',
    ...initial.map((state) => `  [*] --> ${state}`),
    ...edges.map(({ from, to }) => `  ${from} --> ${to}`),
    ...final.map((state) => `  ${state} --> [*]`),
  ];
  const rows = [['From', 'To', 'When'], ...edges.map(({ from, to, when }) => [`\`${from}\``, `\`${to}\``, when])];
  return `## ${name}

${about} The table is in [\`${file}\`](../../${file}).

\`\`\`mermaid
${diagram.join('\n')}
\`\`\`

${renderTable(rows)}
`;
}

/** @param {string[][]} rows header first; aligned as the formatter does */
function renderTable(rows) {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [header = [], ...body] = rows;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
