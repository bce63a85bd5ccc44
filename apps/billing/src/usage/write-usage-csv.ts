import type { UsageGroup } from '@millrace/contracts/billing/usage';
import { quoteCsv } from '@millrace/service/text/quote-csv';
import type { UsageGroupSums } from './sum-usage.js';
import { toSums } from './to-usage.js';

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
