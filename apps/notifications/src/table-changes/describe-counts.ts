interface Counts {
  new: number;
  changed: number;
  gone: number;
}

/** `1 new, 2 changed`; leaves out zeros. */
export const listCounts = ({ new: created, changed, gone }: Counts): string =>
  Object.entries({ new: created, changed, gone })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatNumber(count)} ${name}`)
    .join(', ');

/** `2 rows are new, 1 row has changed, and 3 rows are gone`; leaves out zeros. */
export function describeCounts({ new: created, changed, gone }: Counts): string {
  const parts = [
    describeCount(created, 'is new', 'are new'),
    describeCount(changed, 'has changed', 'have changed'),
    describeCount(gone, 'is gone', 'are gone'),
  ].filter((part) => part !== '');
  const last = parts.pop() ?? 'no row has changed';
  return parts.length === 0 ? last : `${parts.join(', ')}${parts.length > 1 ? ',' : ''} and ${last}`;
}

const describeCount = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${formatNumber(count)} ${count === 1 ? `row ${one}` : `rows ${many}`}`;

export const formatNumber = (count: number): string => count.toLocaleString('en-US');
