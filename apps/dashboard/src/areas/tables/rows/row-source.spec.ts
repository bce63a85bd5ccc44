import { expect, it } from '@jest/globals';
import { placesByColumn } from './row-places.js';
import { type Row, RowSource } from './row-source.js';

const COUNT = 50_000;

/** A table of the API that is sorted by the column `n`, of which it understands the conditions that a source sends. */
function makeTable(valueAt: (row: number) => number | null, isDescending = false) {
  const order = isDescending ? -1 : 1;
  const rows = Array.from({ length: COUNT }, (_, row) => ({ _row: row, n: valueAt(row) })).sort(
    (a, b) => Number(a.n === null) - Number(b.n === null) || order * ((a.n ?? 0) - (b.n ?? 0)),
  );
  let requests = 0;
  const select = (q: string) => {
    const [, operator, value] = /^n (\S+) (.*)$/.exec(q) ?? [];
    if (operator === 'IS') return rows.filter(({ n }) => (value === 'NULL') === (n === null));
    const limit = Number(value);
    if (operator === '<') return rows.filter(({ n }) => n !== null && n < limit);
    if (operator === '>') return rows.filter(({ n }) => n !== null && n > limit);
    if (operator === '<=') return rows.filter(({ n }) => n !== null && n <= limit);
    return operator === '>=' ? rows.filter(({ n }) => n !== null && n >= limit) : rows;
  };
  const readFrom = ({ q, cursor = '0' }: { q: string; cursor?: string }, size: number) => {
    requests += 1;
    const found = select(q);
    const end = Number(cursor) + size;
    return { rows: found.slice(Number(cursor), end) as Row[], cursor: end < found.length ? String(end) : null };
  };
  const places = placesByColumn('', { name: 'n', type: 'bigint', isDescending }, ({ q, order: by }) => {
    requests += 1;
    const found = select(q);
    return Promise.resolve({ results: found.slice(by === undefined ? 0 : -1).slice(0, 1), count: found.length });
  });
  const source = new RowSource({
    q: '',
    places,
    readPage: (from, size) => Promise.resolve(readFrom(from, size)),
    passRows: (from, size) => {
      const { rows: passed, cursor } = readFrom(from, size);
      return Promise.resolve({ rows: passed.length, cursor });
    },
  });
  source.setTotal(COUNT);
  return { rows, source, requests: () => requests };
}

async function show(source: RowSource, first: number): Promise<void> {
  const last = Math.min(COUNT - 1, first + 30);
  source.show({ first, last });
  for (let wait = 0; source.find(first) === undefined || source.find(last) === undefined; wait += 1) {
    if (wait > 400) throw new Error(`Row ${first} was not read`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

it.each([
  { values: 'grow evenly', valueAt: (row: number) => row * 3, isDescending: false, limit: 10 },
  { values: 'fall evenly', valueAt: (row: number) => row * 3, isDescending: true, limit: 10 },
  { values: 'grow faster and faster', valueAt: (row: number) => row ** 3, isDescending: false, limit: 16 },
  {
    values: 'are missing in some rows',
    valueAt: (row: number) => (row % 10 === 0 ? null : row),
    isDescending: false,
    limit: 16,
  },
])(
  'a far row of a sorted table is found with few requests if values $values',
  async ({ valueAt, isDescending, limit }) => {
    const { rows, source, requests } = makeTable(valueAt, isDescending);
    await show(source, 0);
    for (const first of [30_000, 12_345, COUNT - 31]) {
      const before = requests();
      await show(source, first);
      for (let row = first; row < first + 31; row += 1) expect(source.find(row)).toEqual(rows[row]);
      expect(requests() - before).toBeLessThanOrEqual(limit);
    }
  },
);

it('a far row is found if very many rows have the same value', async () => {
  const { rows, source } = makeTable((row) => row % 2);
  await show(source, 0);
  let isPassing = false;
  source.state.subscribe(() => (isPassing ||= source.state.get().passing !== undefined));
  for (const first of [40_000, 20_000]) {
    await show(source, first);
    expect(source.state.get().passing).toBeUndefined();
    expect(source.find(first + 7)).toEqual(rows[first + 7]);
  }
  expect(isPassing).toBe(true);
});
