import type { listUsage, UsageGroup } from '@millrace/contracts/billing/usage';
import type { Result } from '@millrace/contracts/kit/operation';
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
