import { edge as connect } from './account.mjs';

const NODES = 5_000;
const EDGES = 20_000;

/**
 * Data of a workflow version.
 * @typedef {{ nodes: Record<string, object>, connections: { source: { id: string }, destination: { id: string } }[] }} Data
 */

/**
 * @param {(index: number) => string} name
 * @param {(index: number) => object} [extraFields]
 */
function createNodes(name, extraFields = () => ({})) {
  return Object.fromEntries(
    Array.from({ length: NODES }, (_, index) => [name(index), { ...script(name(index)), ...extraFields(index) }]),
  );
}

const script = (/** @type {string} */ name) => ({
  name,
  type: 'SCRIPT',
  script_type: 'bash',
  script: { source: 'cat in/*/*' },
  meta: { label: name.replace(/-\d+$/, ''), coordinates: { x: 0, y: 0 } },
  inputs: { file: { type: 'FILE', order: 0, multi: true }, text: { type: 'STRING', order: 1, value: 'a' } },
  outputs: { file: { type: 'FILE', order: 0 }, folder: { type: 'FOLDER', order: 1 } },
  bee_type: 'small',
});

const edge = (/** @type {string} */ from, /** @type {string} */ to) => connect(`${from}/file`, `${to}/file/${from}`);

const step = (/** @type {number} */ index) => `step-${index}`;

/** Pseudo-random integers, the same in every run (mulberry32). */
function createRandom() {
  let state = 1;
  return (/** @type {number} */ limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Each node depends on the four before it. */
function chain(name = step) {
  const connections = [];
  for (let index = 1; index < NODES; index += 1) {
    for (let back = 1; back <= 4 && back <= index; back += 1) connections.push(edge(name(index - back), name(index)));
  }
  return { nodes: createNodes(name), connections };
}

/** All nodes depend on the first three, and the last node depends on all. */
function fan() {
  const connections = [];
  for (let index = 5; index < NODES - 1; index += 1) {
    for (let hub = 0; hub < 3; hub += 1) connections.push(edge(step(hub), step(index)));
    connections.push(edge(step(index), step(NODES - 1)));
  }
  return { nodes: createNodes(step), connections };
}

/** A grid of 100 rows of 50 nodes; each node depends on four nodes of the row above. */
function grid() {
  const connections = [];
  for (let index = 50; index < NODES; index += 1) {
    const row = Math.floor(index / 50) - 1;
    for (let by = 0; by < 4; by += 1) connections.push(edge(step(row * 50 + ((index + by) % 50)), step(index)));
  }
  return { nodes: createNodes(step), connections };
}

function random() {
  const nextInteger = createRandom();
  const seen = new Set();
  const connections = [];
  while (connections.length < EDGES) {
    const to = 1 + nextInteger(NODES - 1);
    const from = nextInteger(to);
    const key = from * NODES + to;
    if (seen.has(key)) continue;
    seen.add(key);
    connections.push(edge(step(from), step(to)));
  }
  return { nodes: createNodes(step), connections };
}

/**
 * Changes the source of each edge.
 * @param {Data} data
 * @param {(id: string) => string} change
 */
function changeSources({ nodes, connections }, change) {
  const changed = connections.map(({ source, destination }) => ({ source: { id: change(source.id) }, destination }));
  return { nodes, connections: changed };
}

/** The source node of every edge does not exist, so that each edge requires a suggestion of a similar name. */
const wrongNames = () => changeSources(random(), (id) => id.replace('step', 'setp'));

/** Every edge connects a folder to an input for files. */
const wrongTypes = () => changeSources(random(), (id) => id.replace(/file$/, 'folder'));

/** Every node distributes over a misspelt input. */
function misspeltInputs() {
  return { ...random(), nodes: createNodes(step, () => ({ distribution: { input: 'flie', mode: 'line' } })) };
}

/** The labels fill the maximum size of a version's data. */
function wideLabels() {
  const label = 'wide '.repeat(240);
  return { ...random(), nodes: createNodes(step, (index) => ({ meta: { label: `${index} ${label}` } })) };
}

/** Each name has the maximum length for which validation suggests similar names. */
function longNames() {
  return chain((index) => `${'a'.repeat(55)}${String(index).padStart(5, '0')}-1`);
}

/** Long names, and the source of every edge is misspelt by one or two letters. */
const longWrongNames = () => changeSources(longNames(), (id) => id.replace('aaaa', 'bbab'));

function cycle() {
  const { nodes, connections } = chain();
  return { nodes, connections: [...connections, edge(step(NODES - 1), step(0))] };
}

/** @type {Record<string, () => Data>} by name; versions of the maximum size: 5,000 nodes and up to 20,000 edges */
export const SHAPES = {
  chain: () => chain(),
  fan,
  grid,
  random,
  'long names': longNames,
  'wide labels': wideLabels,
  'a cycle of all nodes': cycle,
  'all edges wrong': wrongNames,
  'all edges wrong, long names': longWrongNames,
  'all types wrong': wrongTypes,
  'all inputs misspelt': misspeltInputs,
};
