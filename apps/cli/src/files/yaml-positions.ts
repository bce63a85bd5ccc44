import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

interface Position {
  /** From 1, as editors count. */
  line: number;
  column: number;
}

/** Finds where values are in the text of a YAML file. JSON is YAML, too. */
export class YamlPositions {
  private readonly lines = new LineCounter();
  private parsed: Document | undefined;

  constructor(private readonly text: string) {}

  /** The position of the key of a value, or of its nearest parent that the file has; null for the whole file. */
  find(path: readonly string[]): Position | null {
    let node: unknown = this.document.contents;
    let offset: number | undefined;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(this.document);
      const found: unknown = isMap(node)
        ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
        : isSeq(node)
          ? node.items[Number(key)]
          : undefined;
      if (found === undefined) break;
      offset = startOf(isPair(found) ? found.key : found) ?? offset;
      node = isPair(found) ? found.value : found;
    }
    if (offset === undefined) return null;
    const { line, col } = this.lines.linePos(offset);
    return { line, column: col };
  }

  private get document(): Document {
    this.parsed ??= parseDocument(this.text, { lineCounter: this.lines });
    return this.parsed;
  }
}

function startOf(node: unknown): number | undefined {
  if (isScalar(node) || isMap(node) || isSeq(node)) return node.range?.[0];
  return undefined;
}
