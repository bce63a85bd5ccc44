import { RangeList } from './range-list.js';

/**
 * Groups consecutive lines (`LineIndexer` with mode `batch`) into `splits` batches. Their sizes differ by at most one line,
 * larger batches first. Fewer lines than `splits` make one batch per line; no lines make no batch.
 * @throws RangeError if `splits` is not a positive integer
 */
export function splitIntoBatches(lines: RangeList, splits: number): RangeList {
  if (!Number.isInteger(splits) || splits < 1)
    throw new RangeError(`splits must be a positive integer (got ${splits})`);
  const batchCount = Math.min(splits, lines.length);
  const batches = new RangeList();
  let next = 0;
  for (let batch = 0; batch < batchCount; batch += 1) {
    const size = Math.floor(lines.length / batchCount) + (batch < lines.length % batchCount ? 1 : 0);
    const first = lines.at(next);
    const last = lines.at(next + size - 1);
    batches.push(first.offset, last.offset + last.length - first.offset);
    next += size;
  }
  return batches;
}
