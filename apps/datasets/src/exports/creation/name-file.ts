import type { ExportFormat } from '@millrace/contracts/datasets/exports';

/** What most file systems take is 255 bytes; the day and the ending are to fit as well. */
const MAX_BYTES = 220;
/** What no file system takes, characters that control, and those that turn the direction of the text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu;

/**
 * Name of the file of an export, with the ending of its format.
 * @param asked by its user; absent is made of `source`, the view or table, and the day
 */
export function nameFile(asked: string | undefined, source: string, format: ExportFormat, now: Date): string {
  const ending = `.${format}`;
  if (asked === undefined) return `${makeSafe(source)}-${now.toISOString().slice(0, 10)}${ending}`;
  return makeSafe(asked.toLowerCase().endsWith(ending) ? asked.slice(0, -ending.length) : asked) + ending;
}

function makeSafe(name: string): string {
  const clean = name.replaceAll(UNSAFE, '_').replace(/^[\s.]+|[\s.]+$/g, '');
  let kept = '';
  for (const character of clean) {
    if (Buffer.byteLength(kept + character) > MAX_BYTES) break;
    kept += character;
  }
  return kept || 'export';
}
