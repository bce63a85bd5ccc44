/** What a split found: the stored objects that hold its items and their index, and how many there are. */
export interface SplitResult {
  items: string;
  index: string;
  count: number;
}

/** Tasks of one segment that have come to their end. */
export interface Settled {
  segment: number;
  /** Indexes of those that succeeded, and of those that did not. */
  good: number[];
  broken: number[];
  /** Where the segment is a split that succeeded: what it found. */
  split?: SplitResult | null;
}
