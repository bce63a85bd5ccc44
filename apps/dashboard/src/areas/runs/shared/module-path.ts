/** The modules around a node, from outside; undefined for a node of the workflow itself. */
export function modulePathOf(node: string): string | undefined {
  const modules = node.split('/').slice(0, -1);
  return modules.length === 0 ? undefined : modules.join(' / ');
}
