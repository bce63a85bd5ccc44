/** Of what is kept of a table for people to see. */
const MAX_ROWS = 20;
const MAX_CHARACTERS = 64 * 1024;

/** As much of a sample as is kept: its first rows while they are short enough, and nothing of what is too long as a whole. */
export function cutSample(sample: unknown): unknown {
  if (!Array.isArray(sample)) return lengthOf(sample) > MAX_CHARACTERS ? undefined : sample;
  const kept: unknown[] = [];
  let left = MAX_CHARACTERS;
  for (const row of sample.slice(0, MAX_ROWS) as unknown[]) {
    left -= lengthOf(row);
    if (left < 0) break;
    kept.push(row);
  }
  return kept;
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
