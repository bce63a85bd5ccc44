import type { Plan } from '@millrace/graph/plan/plan';

/** An output that a name is bound to: its node, and its path below `out/`. */
export interface BoundOutput {
  node: string;
  path: string;
}

/** The output of a node's file port. */
const FILE_PORT_PATH = 'output.txt';

/**
 * Finds the outputs inside a module node that the name of one of the module's ports selects. A port is named after the label
 * of an inner node, or after its name (`<node>/<node>` for nested nodes). The port alone selects the file port;
 * `<port>/<path>` selects another file. A path without a port is enough if the module has one named output.
 */
export function bindOutputs(plan: Pick<Plan, 'steps'>, module: string, path: string): BoundOutput[] {
  const inner = plan.steps
    .filter(({ node, program }) => node.startsWith(`${module}/`) && program.kind !== 'split')
    .map(({ node, label }) => ({ node, label, name: node.slice(module.length + 1) }));
  const bound = inner.flatMap(({ node, label, name }) => {
    const below = [label, name].map((port) => pathBelow(port, path)).find((found) => found !== null);
    return below === undefined || below === null ? [] : [{ node, path: below }];
  });
  if (bound.length > 0) return bound;
  const named = inner.filter(
    ({ label, name }) => !name.includes('/') && label !== '' && label !== name.replace(/-\d+$/, ''),
  );
  return named.length === 1 ? named.map(({ node }) => ({ node, path })) : [];
}

function pathBelow(port: string, path: string): string | null {
  if (path === port || path === `${port}/file`) return FILE_PORT_PATH;
  return path.startsWith(`${port}/`) ? path.slice(port.length + 1) : null;
}
