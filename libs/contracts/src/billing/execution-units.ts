const MS_PER_UNIT = 1_000;
const UNITS_PER_CREDIT = 60;
/** What a ledger entry can hold; 68 years of CPU time, which no attempt takes. */
const MAX_UNITS = 2 ** 31 - 1;

/**
 * What one attempt at a subjob costs: a unit for each CPU second begun. None where no CPU time was used at all, as nothing
 * ran then (a skipped subjob, or outputs taken over from an earlier run). The engine and the ledger both count by this, so
 * that a run shows what is billed for it.
 * @param cpuMs CPU time of the attempt in milliseconds
 */
export const executionUnits = (cpuMs: number): number =>
  Math.min(MAX_UNITS, Math.max(0, Math.ceil(cpuMs / MS_PER_UNIT)));

/** Units in credits, as they are shown: a credit is a CPU minute, in hundredths (one unit is more than one of them). */
export const toCredits = (units: number): number => Math.round((units / UNITS_PER_CREDIT) * 100) / 100;

/** Credits in units, as limits are held against. */
export const fromCredits = (credits: number): number => credits * UNITS_PER_CREDIT;
