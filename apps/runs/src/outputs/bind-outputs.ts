import type { Plan } from '@millrace/graph/plan/plan';

/** An output that is meant: of which node, and where below its `out/`. */
export interface BoundOutput {
  node: string;
  path: string;
}

const FILE_PORT = 'output.txt';

/**
 * Outputs inside a module's node that are meant by the name of one of the module's ports: the label of a node in it, or
 * its name (of what lies deeper, `<node>/<node>`). The port is the file port; `<port>/<path>` is another file. `path`
 * alone does where the module has one named output.
 */
export function bindOutputs(plan: Pick<Plan, 'steps'>, module: string, path: string): BoundOutput[] {
  const inside = plan.steps
    .filter(({ node, program }) => node.startsWith(`${module}/`) && program.kind !== 'split')
    .map(({ node, label }) => ({ node, label, name: node.slice(module.length + 1) }));
  const bound = inside.flatMap(({ node, label, name }) => {
    const below = [label, name].map((port) => pathBelow(port, path)).find((found) => found !== null);
    return below === undefined || below === null ? [] : [{ node, path: below }];
  });
  if (bound.length > 0) return bound;
  const named = inside.filter(
    ({ label, name }) => !name.includes('/') && label !== '' && label !== name.replace(/-\d+$/, ''),
  );
  return named.length === 1 ? named.map(({ node }) => ({ node, path })) : [];
}

function pathBelow(port: string, path: string): string | null {
  if (path === port || path === `${port}/file`) return FILE_PORT;
  return path.startsWith(`${port}/`) ? path.slice(port.length + 1) : null;
}
