import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { expandConnection } from './expand-connection.js';
import { isSame } from './local-changes.js';

/** The keys that a user adds to an exported file. */
const LOCAL_KEYS = new Set(['execute']);

/**
 * Changes a file to a newer export of the server. Its comments, the form of everything that is the same, and the options of
 * its runs (`execute`) stay.
 */
export function mergeExport(text: string, exported: Record<string, unknown>): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) return `${JSON.stringify(exported, null, 2)}\n`;
  updateMap(document, document.contents, exported, LOCAL_KEYS);
  return document.toString({ lineWidth: 0 });
}

function updateMap(document: Document, map: YAMLMap, value: Record<string, unknown>, kept: ReadonlySet<string>): void {
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, textOf(key)) || kept.has(textOf(key)));
  for (const [key, item] of Object.entries(value)) {
    const pair = map.items.find((one) => textOf(one.key) === key);
    if (pair) update(document, pair, item);
    else map.items.push(document.createPair(key, item));
  }
}

function update(document: Document, pair: Pair, value: unknown): void {
  const { value: node } = pair;
  const current: unknown = toJs(document, node);
  if (isSame(value, current)) return;
  if (isMap(node) && isRecord(value)) updateMap(document, node, value, new Set());
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
