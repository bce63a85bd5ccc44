/**
 * Data of a workflow with scripts in a grid. Each connection leads to one of the 120 scripts after its source, so the edges are long,
 * and the same in each run.
 * @param {number} nodes
 * @param {number} edges
 */
export function makeGraph(nodes, edges) {
  const columns = Math.ceil(Math.sqrt(nodes / 1.5));
  let state = 7;
  const random = (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const scripts = Array.from({ length: nodes }, (_, index) => [
    `step-${index}`,
    {
      type: 'SCRIPT',
      script: { source: `echo ${index}\n` },
      meta: { coordinates: { x: (index % columns) * 288, y: Math.floor(index / columns) * 120 } },
    },
  ]);
  /** @type {Map<string, object>} */
  const connections = new Map();
  while (connections.size < edges) {
    const target = 1 + random(nodes - 1);
    const source = Math.max(0, target - 1 - random(Math.min(target, 120)));
    connections.set(`${source} ${target}`, {
      source: { id: `output/step-${source}/file` },
      destination: { id: `input/step-${target}/file/step-${source}` },
    });
  }
  return { nodes: Object.fromEntries(scripts), connections: [...connections.values()] };
}
