import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Scalar } from 'yaml';
import type { Place } from './read-yaml.js';

/** A field of the data of a workflow file. */
export interface FieldToLocate {
  /** The keys that lead to it, joined with dots. A key may contain dots itself. */
  path: string;
  /** What to locate. A value of several lines or fields is located at its key, because it starts there for a reader. */
  part: 'key' | 'value';
  /** A place in a text: the number of UTF-16 code units before it. */
  position?: number;
}

/** Fields of a connection in the compact form, by their names in a version. */
const COMPACT_NAMES: Record<string, string> = { source: 'from', destination: 'to' };

/**
 * Finds the positions of fields of `data` in the text of a workflow file. If the text lacks the end of a path, the position is
 * that of the nearest field around it; an end of a connection may be a text instead of an object with an `id`.
 * @param text YAML that `readYaml` accepts
 * @returns null for a path of which the text has no part
 */
export function locateFields(text: string, fields: readonly FieldToLocate[]): (Place | null)[] {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { schema: 'core', merge: false, uniqueKeys: false, lineCounter: lines });
  const root = (findChild(contents, 'data', false) ?? findChild(contents, 'workflow', false))?.value;
  return fields.map((field) => {
    const at = findOffset(text, root, field);
    return at === null ? null : { line: lines.linePos(at).line, column: lines.linePos(at).col };
  });
}

interface Child {
  key: Node | null;
  value: unknown;
  /** The part of the path below the child. */
  rest: string;
}

function findOffset(text: string, root: unknown, { path, part, position = 0 }: FieldToLocate): number | null {
  let found: Child | null = null;
  let [parent, rest] = [root, path];
  const isConnection = path.startsWith('connections.');
  while (rest !== '') {
    const child = findChild(parent, rest, isConnection);
    if (!child) break;
    found = child;
    [parent, rest] = [child.value, child.rest];
  }
  if (found === null) return null;
  const start = isLine(found.value) ? (found.value.range?.[0] ?? null) : null;
  if (part === 'value' && start !== null && isLine(found.value)) return start + measure(text, found.value, position);
  return (found.key ?? (found.value as Node | null))?.range?.[0] ?? null;
}

/** Whether a value is written in the line where it starts. */
const isLine = (value: unknown): value is Scalar =>
  isScalar(value) && value.value !== null && value.type !== 'BLOCK_LITERAL' && value.type !== 'BLOCK_FOLDED';

/** The number of characters of the file up to a place in a text; 0 if they differ from those of the text, as for escapes. */
function measure(text: string, { value, type, range }: Scalar, position: number): number {
  if (position === 0 || typeof value !== 'string' || !range) return 0;
  const quote = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 1 : 0;
  const isSame = text.startsWith(value.slice(0, position), range[0] + quote);
  return isSame ? quote + position : 0;
}

/** The child whose key is the whole path or the longest beginning of it. */
function findChild(parent: unknown, path: string, isConnection: boolean): Child | null {
  if (isSeq(parent)) {
    const [index = ''] = path.split('.', 1);
    const value = /^\d+$/.test(index) ? parent.items[Number(index)] : undefined;
    return value === undefined ? null : { key: null, value, rest: path.slice(index.length + 1) };
  }
  if (!isMap(parent)) return null;
  let best: { child: Child; length: number } | null = null;
  for (const { key, value } of parent.items) {
    if (!isScalar(key) || typeof key.value !== 'string') continue;
    for (const name of isConnection ? namesOf(key.value) : [key.value]) {
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
