import { RangeList } from './range-list.js';

/**
 * Puts lines (`LineIndexer` with mode `batch`) into `splits` groups of neighbours whose sizes differ by one line at
 * most, the larger first. Fewer lines than groups give a group a line; no lines give none.
 */
export function batchRanges(lines: RangeList, splits: number): RangeList {
  if (!Number.isInteger(splits) || splits < 1) throw new RangeError(`cannot make ${splits} batches`);
  const groups = Math.min(splits, lines.length);
  const batches = new RangeList();
  let next = 0;
  for (let group = 0; group < groups; group += 1) {
    const size = Math.floor(lines.length / groups) + (group < lines.length % groups ? 1 : 0);
    const first = lines.at(next);
    const last = lines.at(next + size - 1);
    batches.push(first.offset, last.offset + last.length - first.offset);
    next += size;
  }
  return batches;
}
