import { edge as draw } from './account.mjs';

const NODES = 5_000;
const EDGES = 20_000;

/**
 * A version's data as large as it may be.
 * @typedef {{ nodes: Record<string, object>, connections: { source: { id: string }, destination: { id: string } }[] }} Data
 */

/**
 * @param {(at: number) => string} name
 * @param {(at: number) => object} [more]
 */
function nodesOf(name, more = () => ({})) {
  return Object.fromEntries(Array.from({ length: NODES }, (_, at) => [name(at), { ...script(name(at)), ...more(at) }]));
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

const edge = (/** @type {string} */ from, /** @type {string} */ to) => draw(`${from}/file`, `${to}/file/${from}`);

const step = (/** @type {number} */ at) => `step-${at}`;

/** Numbers that look random and are the same each time (mulberry32). */
function numbers() {
  let state = 1;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Each node waits for the four before it. */
function chain(name = step) {
  const connections = [];
  for (let at = 1; at < NODES; at += 1) {
    for (let back = 1; back <= 4 && back <= at; back += 1) connections.push(edge(name(at - back), name(at)));
  }
  return { nodes: nodesOf(name), connections };
}

/** Five nodes that all others wait for, and one that waits for all. */
function fan() {
  const connections = [];
  for (let at = 5; at < NODES - 1; at += 1) {
    for (let hub = 0; hub < 3; hub += 1) connections.push(edge(step(hub), step(at)));
    connections.push(edge(step(at), step(NODES - 1)));
  }
  return { nodes: nodesOf(step), connections };
}

/** Fifty wide, a hundred deep; a node waits for four of the row above. */
function grid() {
  const connections = [];
  for (let at = 50; at < NODES; at += 1) {
    const row = Math.floor(at / 50) - 1;
    for (let by = 0; by < 4; by += 1) connections.push(edge(step(row * 50 + ((at + by) % 50)), step(at)));
  }
  return { nodes: nodesOf(step), connections };
}

function random() {
  const next = numbers();
  const seen = new Set();
  const connections = [];
  while (connections.length < EDGES) {
    const to = 1 + next(NODES - 1);
    const from = next(to);
    const key = from * NODES + to;
    if (seen.has(key)) continue;
    seen.add(key);
    connections.push(edge(step(from), step(to)));
  }
  return { nodes: nodesOf(step), connections };
}

/**
 * The same, each edge from elsewhere.
 * @param {Data} data
 * @param {(id: string) => string} change
 */
function changeSources({ nodes, connections }, change) {
  const changed = connections.map(({ source, destination }) => ({ source: { id: change(source.id) }, destination }));
  return { nodes, connections: changed };
}

/** Every edge names a node that is not there, so that each asks for what was meant. */
const wrong = () => changeSources(random(), (id) => id.replace('step', 'setp'));

/** Every edge leads a folder to a file. */
const mismatched = () => changeSources(random(), (id) => id.replace(/file$/, 'folder'));

/** Every node distributes over an input that is mistyped. */
function mistyped() {
  return { ...random(), nodes: nodesOf(step, () => ({ distribution: { input: 'flie', mode: 'line' } })) };
}

/** Labels and descriptions fill what the size of a version allows. */
function wide() {
  const label = 'wide '.repeat(240);
  return { ...random(), nodes: nodesOf(step, (at) => ({ meta: { label: `${at} ${label}` } })) };
}

/** Names of which each is as long as it may be where hints are looked for. */
function long() {
  return chain((at) => `${'a'.repeat(55)}${String(at).padStart(5, '0')}-1`);
}

/** Every edge of those misses its source by a letter or two. */
const longWrong = () => changeSources(long(), (id) => id.replace('aaaa', 'bbab'));

function cycle() {
  const { nodes, connections } = chain();
  return { nodes, connections: [...connections, edge(step(NODES - 1), step(0))] };
}

/** @type {Record<string, () => Data>} 5,000 nodes each, and up to 20,000 edges */
export const SHAPES = {
  chain: () => chain(),
  fan,
  grid,
  random,
  'long names': long,
  'wide labels': wide,
  'a cycle of all': cycle,
  'all edges wrong': wrong,
  'all edges wrong, long names': longWrong,
  'all types wrong': mismatched,
  'all inputs mistyped': mistyped,
};
