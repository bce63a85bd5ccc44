import { fieldOf } from '@millrace/graph/data/is-record';

/**
 * Whether nodes or inputs of the versions may refer to variables; connections cannot. Also true for any other text with
 * `vars.` in it. Not recursive, because the depth of the data is not checked yet.
 */
export function hasVariableReferences(versions: readonly unknown[]): boolean {
  const pending = versions.flatMap((data) => [fieldOf(data, 'nodes'), fieldOf(data, 'primitiveNodes')]);
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.includes('vars.')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) pending.push(inner);
  }
  return false;
}
