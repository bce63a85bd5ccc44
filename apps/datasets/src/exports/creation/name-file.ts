import type { ExportFormat } from '@millrace/contracts/datasets/exports';

/** Most file systems accept 255 bytes, which have to include the day and the extension. */
const MAX_BYTES = 220;
/** Characters that some file system does not accept, control characters, and characters that change the text direction. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu;

/**
 * Names the file of an export, with the extension of its format.
 * @param requested name from the user; by default the name of the view or table and the day
 */
export function nameFile(requested: string | undefined, source: string, format: ExportFormat, now: Date): string {
  const extension = `.${format}`;
  if (requested === undefined) return `${makeSafe(source)}-${now.toISOString().slice(0, 10)}${extension}`;
  return (
    makeSafe(requested.toLowerCase().endsWith(extension) ? requested.slice(0, -extension.length) : requested) +
    extension
  );
}

function makeSafe(name: string): string {
  const clean = name.replaceAll(UNSAFE, '_').replace(/^[\s.]+|[\s.]+$/g, '');
  let safe = '';
  for (const character of clean) {
    if (Buffer.byteLength(safe + character) > MAX_BYTES) break;
    safe += character;
  }
  return safe || 'export';
}
