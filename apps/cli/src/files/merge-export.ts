import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { expandConnection } from './expand-connection.js';
import { isSame } from './local-changes.js';

/** The keys that a user adds to an exported file. */
const LOCAL_KEYS = new Set(['execute']);

/**
 * Changes a file to a newer export of the server. Its comments, the form of everything that is the same, and the options of
 * its runs (`execute`) stay.
 * @param unchanged nodes that are on the server as they were when the file had their version. If such a node names a library
 *   module by `uses`, it may have less in the file, because the server completed it
 */
export function mergeExport(
  text: string,
  exported: Record<string, unknown>,
  unchanged: ReadonlySet<string> = new Set(),
): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) return `${JSON.stringify(exported, null, 2)}\n`;
  updateMap({ document, unchanged }, document.contents, exported, []);
  return document.toString({ lineWidth: 0 });
}

interface Merge {
  document: Document;
  unchanged: ReadonlySet<string>;
}

function updateMap(merge: Merge, map: YAMLMap, value: Record<string, unknown>, path: readonly string[]): void {
  const isKept = (key: string) => Object.hasOwn(value, key) || (path.length === 0 && LOCAL_KEYS.has(key));
  map.items = map.items.filter(({ key }) => isKept(textOf(key)));
  for (const [key, item] of Object.entries(value)) {
    const pair = map.items.find((one) => textOf(one.key) === key);
    if (pair) update(merge, pair, item, [...path, key]);
    else map.items.push(merge.document.createPair(key, item));
  }
}

function update(merge: Merge, pair: Pair, value: unknown, path: readonly string[]): void {
  const { document, unchanged } = merge;
  const { value: node } = pair;
  const current: unknown = toJs(document, node);
  // Nodes are at `data.nodes.<name>`, or at `workflow.nodes.<name>` in a file that was written by hand.
  const [, list, name = ''] = path;
  const isUnchanged = path.length === 3 && list === 'nodes' && unchanged.has(name);
  if (isUnchanged ? isSame(value, current) : isDeepStrictEqual(value, current)) return;
  if (isMap(node) && isRecord(value)) updateMap(merge, node, value, path);
  else if (isSeq(node) && Array.isArray(value)) updateSeq(document, node, value);
  else if (isScalar(node) && typeof value === typeof node.value && value !== null) node.value = value;
  else pair.value = document.createNode(value);
}

/** Keeps the items that are the same, with their comments. */
function updateSeq(document: Document, seq: YAMLSeq, value: unknown[]): void {
  const items = [...seq.items];
  seq.items = value.map((item) => {
    const at = items.findIndex((one) =>
      isDeepStrictEqual(expandConnection(toJs(document, one)), expandConnection(item)),
    );
    return at === -1 ? document.createNode(item) : items.splice(at, 1)[0];
  });
}

const toJs = (document: Document, node: unknown): unknown =>
  node !== null && typeof node === 'object' && 'toJS' in node
    ? (node as { toJS: (document: Document) => unknown }).toJS(document)
    : node;

const textOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
