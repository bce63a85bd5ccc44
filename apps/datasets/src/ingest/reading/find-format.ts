export type Format = 'json' | 'ndjson' | 'csv';

const OPEN_ARRAY = '[';
const OPEN_OBJECT = '{';

/**
 * What a file is, by its name and its first bytes: a JSON array, JSON lines, JSON values over several lines, or else CSV.
 */
export function findFormat(name: string, beginning: string): Format {
  const text = beginning.trimStart();
  const ending = /\.([a-z]+)(?:\.(?:gz|gzip|zst|zstd))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (text.startsWith(OPEN_OBJECT)) return !text.includes('\n') || hasWholeLine(text) ? 'ndjson' : 'json';
  if (text.startsWith(OPEN_ARRAY)) return 'json';
  return ending === 'ndjson' || ending === 'jsonl' ? 'ndjson' : 'csv';
}

/** Of a value over several lines none that begins one by itself stands at a line's start. */
const hasWholeLine = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(OPEN_OBJECT) && isWhole(line));

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
