import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import type { Place } from './read-yaml.js';

/** Fields of a connection in the compact form, by their names in a version. */
const COMPACT_NAMES: Record<string, string> = { source: 'from', destination: 'to' };

/**
 * Finds the positions of fields of `data` in the text of a workflow file. A path is a field's keys joined with dots, and keys may
 * contain dots themselves. If the text lacks the end of a path, the position is that of the nearest field around it.
 * @param text YAML that `readYaml` accepts
 * @returns null for a path of which the text has no part
 */
export function locatePaths(text: string, paths: readonly string[]): (Place | null)[] {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { schema: 'core', merge: false, uniqueKeys: false, lineCounter: lines });
  const root = findChild(contents, 'data')?.value ?? findChild(contents, 'workflow')?.value;
  return paths.map((path) => {
    const at = findOffset(root, path);
    return at === null ? null : { line: lines.linePos(at).line, column: lines.linePos(at).col };
  });
}

interface Child {
  key: Node | null;
  value: unknown;
  /** The part of the path below the child. */
  rest: string;
}

function findOffset(root: unknown, path: string): number | null {
  let found: number | null = null;
  let [parent, rest] = [root, path];
  while (rest !== '') {
    const child = findChild(parent, rest);
    if (!child) break;
    const { key, value } = child;
    found = (key ?? (value as Node | null))?.range?.[0] ?? found;
    [parent, rest] = [value, child.rest];
  }
  return found;
}

/** The child whose key is the whole path or the longest beginning of it. */
function findChild(parent: unknown, path: string): Child | null {
  if (isSeq(parent)) {
    const [index = ''] = path.split('.', 1);
    const value = /^\d+$/.test(index) ? parent.items[Number(index)] : undefined;
    return value === undefined ? null : { key: null, value, rest: path.slice(index.length + 1) };
  }
  if (!isMap(parent)) return null;
  let best: { child: Child; length: number } | null = null;
  for (const { key, value } of parent.items) {
    if (!isScalar(key) || typeof key.value !== 'string') continue;
    for (const name of namesOf(key.value)) {
      const isPart = path === name || path.startsWith(`${name}.`);
      if (isPart && name.length > (best?.length ?? -1))
        best = { child: { key, value, rest: path.slice(name.length + 1) }, length: name.length };
    }
  }
  return best?.child ?? null;
}

const namesOf = (key: string): string[] => [
  key,
  ...Object.entries(COMPACT_NAMES).flatMap(([name, compact]) => (compact === key ? [name] : [])),
];
