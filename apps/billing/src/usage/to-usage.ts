import type { UsageGroup, listUsage } from '@millrace/contracts/billing/usage';
import type { Result } from '@millrace/contracts/kit/operation';
import { quoteCsv } from '@millrace/service/text/quote-csv';
import type { UsageGroupSums, UsageSums } from './sum-usage.js';

type Listed = Result<typeof listUsage>;

export const toSums = ({ units, cpuMs, subjobs, runs }: UsageSums): Listed['total'] => ({
  execution_units: Number(units),
  cpu_seconds: Math.round(cpuMs) / 1_000,
  subjobs: Number(subjobs),
  runs: Number(runs),
});

export function toUsage(
  group: UsageGroup,
  { key, ...sums }: UsageGroupSums,
  names: Record<string, string>,
): Listed['results'][number] {
  const name = key === null ? undefined : names[key];
  return {
    ...(key !== null && { [group]: key }),
    ...(name !== undefined && { [`${group}_name`]: name }),
    ...toSums(sums),
  };
}

const SUMS = ['execution_units', 'cpu_seconds', 'subjobs', 'runs'] as const;

const columnsOf = (group: UsageGroup): string[] => (group === 'day' ? ['day'] : [group, `${group}_name`]);

export const toUsageCsvHeader = (group: UsageGroup): string => line([...columnsOf(group), ...SUMS]);

/** CSV lines (RFC 4180, but with LF line ends). Quoting makes sure that a spreadsheet runs no formula from a name. */
export function toUsageCsvLines(group: UsageGroup, groups: UsageGroupSums[], names: Record<string, string>): string {
  return groups
    .map(({ key, ...sums }) => {
      const keyCells = group === 'day' ? [key ?? ''] : [key ?? '', names[key ?? ''] ?? ''];
      const numbers = toSums(sums);
      return line([...keyCells, ...SUMS.map((name) => String(numbers[name]))]);
    })
    .join('');
}

const line = (cells: string[]): string => `${cells.map(quoteCsv).join(',')}\n`;
