import { fieldOf } from '@millrace/graph/data/is-record';

/**
 * Whether the nodes and inputs of versions may name variables; connections name none. May be true for other text with
 * `vars.` in it. Without recursion: nothing has checked yet how deep the data is.
 */
export function hasVariableReferences(versions: readonly unknown[]): boolean {
  const left = versions.flatMap((data) => [fieldOf(data, 'nodes'), fieldOf(data, 'primitiveNodes')]);
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('vars.')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}
