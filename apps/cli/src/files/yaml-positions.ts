import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

export interface Position {
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
    return this.walk(path).position;
  }

  /** Whether the file has a value at exactly this path. */
  has(path: readonly string[]): boolean {
    return this.walk(path).isComplete;
  }

  /**
   * Finds a value by its keys joined with dots. A key may contain dots itself, so the longest key that the file has is used.
   * @param prefix keys above it
   */
  findJoined(prefix: readonly string[], joined: string): Position | null {
    const keys = [...prefix];
    let rest = joined === '' ? [] : joined.split('.');
    while (rest.length > 0) {
      const parts = rest;
      const lengths = Array.from({ length: rest.length }, (_, index) => rest.length - index);
      const length = lengths.find((count) => this.has([...keys, parts.slice(0, count).join('.')]));
      if (length === undefined) break;
      keys.push(rest.slice(0, length).join('.'));
      rest = rest.slice(length);
    }
    return this.find(keys);
  }

  /** The position of the first text that is accepted, at or below a path. */
  findText(path: readonly string[], isAccepted: (text: string) => boolean): Position | null {
    const search = (value: unknown): Position | null => {
      const node = isPair(value) ? value.value : value;
      if (isScalar(node)) return isAccepted(String(node.value)) ? this.positionOf(node.range?.[0]) : null;
      const items = isMap(node) || isSeq(node) ? node.items : [];
      for (const item of items) {
        const found = search(item);
        if (found) return found;
      }
      return null;
    };
    return search(this.document.getIn(path, true));
  }

  private get document(): Document {
    this.parsed ??= parseDocument(this.text, { lineCounter: this.lines });
    return this.parsed;
  }

  private walk(path: readonly string[]): { position: Position | null; isComplete: boolean } {
    let node: unknown = this.document.contents;
    let offset: number | undefined;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(this.document);
      const found: unknown = isMap(node)
        ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
        : isSeq(node)
          ? node.items[Number(key)]
          : undefined;
      if (found === undefined) return { position: this.positionOf(offset), isComplete: false };
      offset = startOf(isPair(found) ? found.key : found) ?? offset;
      node = isPair(found) ? found.value : found;
    }
    return { position: this.positionOf(offset), isComplete: true };
  }

  private positionOf(offset: number | undefined): Position | null {
    if (offset === undefined) return null;
    const { line, col } = this.lines.linePos(offset);
    return { line, column: col };
  }
}

function startOf(node: unknown): number | undefined {
  if (isScalar(node) || isMap(node) || isSeq(node)) return node.range?.[0];
  return undefined;
}
