export interface UploadFormat {
  format: 'json' | 'ndjson' | 'csv';
  encoding?: 'gzip' | 'zstd';
}

/** The format of a file by its name and its first character; undefined if neither says it. */
export function detectFormat(name: string, start: string): UploadFormat | undefined {
  const lower = name.toLowerCase();
  const [, compression] = /\.(gz|gzip|zst|zstd)$/.exec(lower) ?? [];
  const encoding = compression === undefined ? undefined : compression.startsWith('g') ? 'gzip' : 'zstd';
  const plain = lower.replace(/\.(gz|gzip|zst|zstd)$/, '');
  const format = byExtension(plain) ?? (encoding ? undefined : byContent(start));
  return format && { format, ...(encoding && { encoding }) };
}

function byExtension(name: string): UploadFormat['format'] | undefined {
  if (/\.(csv|tsv)$/.test(name)) return 'csv';
  if (/\.(jsonl|ndjson)$/.test(name)) return 'ndjson';
  // Files with this name often have a line for each object.
  return undefined;
}

function byContent(start: string): UploadFormat['format'] {
  const [first] = start.trimStart();
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}
