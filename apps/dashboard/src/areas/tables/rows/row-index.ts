/** Where the API continues to read: a condition and the cursor after it. Cursors belong to their condition. */
export interface ReadPoint {
  q: string;
  cursor?: string;
}

/** Rows that follow each other. A segment may be known without its rows, because only a bounded number of rows is kept. */
export interface Segment<Row> {
  /** Number of rows before it, from 0. */
  start: number;
  /** Undefined only for the last segment, as long as the end of the table is unknown. */
  size: number | undefined;
  /** Where its first row is read from. */
  from: ReadPoint;
  rows?: readonly Row[];
}

/** The rows of a query by their position, without gaps and in order. */
export type RowIndex<Row> = readonly Segment<Row>[];

export const createIndex = <Row>(q: string): RowIndex<Row> => [{ start: 0, size: undefined, from: { q } }];

/** The position of the segment that contains a row, or of the last one. */
export function findSegment<Row>(index: RowIndex<Row>, row: number): number {
  let low = 0;
  let high = index.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (segmentAt(index, middle).start <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function segmentAt<Row>(index: RowIndex<Row>, position: number): Segment<Row> {
  const segment = index[position];
  if (!segment) throw new RangeError(`The index has no segment ${position}`);
  return segment;
}

export function findRow<Row>(index: RowIndex<Row>, row: number): Row | undefined {
  const { start, rows } = segmentAt(index, findSegment(index, row));
  return rows?.[row - start];
}

/** How many rows there are at least. */
export function countKnown<Row>(index: RowIndex<Row>): number {
  const { start, size = 0 } = segmentAt(index, index.length - 1);
  return start + size;
}

export const isComplete = <Row>(index: RowIndex<Row>): boolean => index.at(-1)?.size !== undefined;

export interface PageOfRows<Row> {
  /** The rows, or only their number if they are read to get past them. */
  rows: readonly Row[] | number;
  cursor: string | null;
}

/** Adds a page that was read from the start of a segment. The rest of the segment becomes one of its own. */
export function addPage<Row>(index: RowIndex<Row>, position: number, page: PageOfRows<Row>): RowIndex<Row> {
  const { start, size, from } = segmentAt(index, position);
  const rows = typeof page.rows === 'number' ? undefined : page.rows;
  const read = typeof page.rows === 'number' ? page.rows : page.rows.length;
  const isEnd = page.cursor === null;
  // The table may have changed since the size became known. What follows keeps its place.
  const ownSize = size === undefined ? read : isEnd ? size : Math.min(read, size);
  const own: Segment<Row> = { start, size: ownSize, from, ...(rows && { rows: rows.slice(0, ownSize) }) };
  const rest: Segment<Row>[] =
    page.cursor === null || ownSize === size
      ? []
      : [
          {
            start: start + ownSize,
            size: size === undefined ? undefined : size - ownSize,
            from: { q: from.q, cursor: page.cursor },
          },
        ];
  return [...index.slice(0, position), own, ...rest, ...index.slice(position + 1)];
}

/** Splits the segment around a row from which the API can read, without the rows before it. */
export function addAnchor<Row>(index: RowIndex<Row>, start: number, from: ReadPoint): RowIndex<Row> {
  const position = findSegment(index, start);
  const segment = segmentAt(index, position);
  const before = start - segment.start;
  if (before <= 0 || segment.rows || (segment.size !== undefined && before >= segment.size)) return index;
  const after = segment.size === undefined ? undefined : segment.size - before;
  return [
    ...index.slice(0, position),
    { ...segment, size: before },
    { start, size: after, from },
    ...index.slice(position + 1),
  ];
}

/** Drops the rows of segments that are farthest from `row` until at most `limit` rows are in memory. */
export function dropFarRows<Row>(index: RowIndex<Row>, row: number, limit: number): RowIndex<Row> {
  const kept = index.filter(({ rows }) => rows);
  let count = kept.reduce((sum, { rows = [] }) => sum + rows.length, 0);
  if (count <= limit) return index;
  const dropped = new Set<Segment<Row>>();
  const distance = ({ start, size = 0 }: Segment<Row>) => Math.abs(start + size / 2 - row);
  for (const segment of kept.toSorted((a, b) => distance(b) - distance(a))) {
    if (count <= limit || dropped.size === kept.length - 1) break;
    dropped.add(segment);
    count -= segment.rows?.length ?? 0;
  }
  return index.map((segment) => {
    if (!dropped.has(segment)) return segment;
    const { rows: _rows, ...rest } = segment;
    return rest;
  });
}
