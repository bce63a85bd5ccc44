import { decodeText } from './decode-text.js';

/** What a content seems to be. */
export type ContentFormat = 'image' | 'json' | 'json-lines' | 'csv' | 'tsv' | 'text' | 'binary';

/** The first bytes of image formats that browsers show. `undefined` stands for any byte. */
const IMAGE_SIGNATURES: readonly { type: string; bytes: readonly (number | undefined)[] }[] = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', bytes: [0x52, 0x49, 0x46, 0x46, ...Array<undefined>(4), 0x57, 0x45, 0x42, 0x50] },
  { type: 'image/avif', bytes: [...Array<undefined>(4), 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66] },
  { type: 'image/bmp', bytes: [0x42, 0x4d, ...Array<undefined>(4), 0, 0, 0, 0] },
];

const BY_EXTENSION: Record<string, ContentFormat> = {
  json: 'json',
  jsonl: 'json-lines',
  ndjson: 'json-lines',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
};

const extensionOf = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The media type of an image, by its first bytes, or by its name if it is SVG; undefined for anything else. */
export function detectImage(name: string, bytes: Uint8Array): string | undefined {
  const found = IMAGE_SIGNATURES.find((signature) =>
    signature.bytes.every((byte, at) => byte === undefined || bytes[at] === byte),
  );
  if (found) return found.type;
  return extensionOf(name) === 'svg' && isText(bytes) ? 'image/svg+xml' : undefined;
}

/** How many bytes decide whether a content is text. */
const SAMPLE_BYTES = 8_192;

/** Whether bytes are text in UTF-8. A zero byte, or more than a few invalid ones, means that they are not. */
export function isText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return false;
  const invalid = decodeText(sample).split('\uFFFD').length - 1;
  return invalid * 100 <= sample.length;
}

/** Detects the format by the first bytes, and by the extension of the name where bytes leave a choice. */
export function detectFormat(name: string, bytes: Uint8Array): ContentFormat {
  if (detectImage(name, bytes) !== undefined) return 'image';
  if (!isText(bytes)) return 'binary';
  const named = BY_EXTENSION[extensionOf(name)];
  const text = decodeText(bytes.subarray(0, SAMPLE_BYTES));
  if (named) return named === 'json' && isJsonLines(text) ? 'json-lines' : named;
  if (isJsonLines(text)) return 'json-lines';
  return /^\s*[[{]/.test(text) && isJson(text, bytes.length) ? 'json' : 'text';
}

/** Whether the first two lines are objects of their own. */
function isJsonLines(text: string): boolean {
  const [first = '', second] = text.split('\n');
  return second !== undefined && isObject(first) && (second.trim() === '' || second.startsWith('{'));
}

function isObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  return parses(line);
}

/** A cut text cannot be parsed, so its beginning must do. */
const isJson = (text: string, size: number): boolean =>
  size > SAMPLE_BYTES ? /^\s*(\{\s*"|\[\s*[[{"\d])/.test(text) : parses(text);

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
