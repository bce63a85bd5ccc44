/** Limits of a stored sample. */
const MAX_ROWS = 20;
const MAX_CHARACTERS = 64 * 1024;

/** Cuts a sample: an array to its first rows within the limits, any other value to nothing if it is too long. */
export function cutSample(sample: unknown): unknown {
  if (!Array.isArray(sample)) return lengthOf(sample) > MAX_CHARACTERS ? undefined : sample;
  const rows: unknown[] = [];
  let left = MAX_CHARACTERS;
  for (const row of sample.slice(0, MAX_ROWS) as unknown[]) {
    left -= lengthOf(row);
    if (left < 0) break;
    rows.push(row);
  }
  return rows;
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
