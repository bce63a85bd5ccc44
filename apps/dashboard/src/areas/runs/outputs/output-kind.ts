import type { Output } from '@millrace/client';

/** How an output is previewed. */
export type OutputKind = 'json' | 'jsonl' | 'csv' | 'image' | 'text' | 'binary';

const KINDS: Record<string, OutputKind> = {
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  csv: 'csv',
  tsv: 'csv',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  bin: 'binary',
  gz: 'binary',
  zip: 'binary',
  tar: 'binary',
  pdf: 'binary',
  sqlite: 'binary',
};

/** The kind by the extension of an output. What its first bytes show may correct it: see `kindOfContent`. */
export const kindOf = ({ format }: Pick<Output, 'format'>): OutputKind => KINDS[format.toLowerCase()] ?? 'text';

/**
 * The kind of a text or a binary file by its first bytes: a byte 0 is binary, lines that are JSON objects are JSON lines, a text
 * in braces is JSON.
 */
export function kindOfContent(kind: OutputKind, bytes: Uint8Array): OutputKind {
  if (kind === 'image' || kind === 'csv' || kind === 'json' || kind === 'jsonl') return kind;
  if (bytes.includes(0)) return 'binary';
  if (kind === 'binary') return 'binary';
  const text = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
  if (!text.startsWith('{') && !text.startsWith('[')) return 'text';
  const [first = ''] = text.split('\n');
  if (isObject(first)) return 'jsonl';
  return isObject(new TextDecoder().decode(bytes)) || text.startsWith('[') ? 'json' : 'text';
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
