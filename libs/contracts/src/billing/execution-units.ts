const MS_PER_UNIT = 1_000;
const UNITS_PER_CREDIT = 60;
/** Maximum of a ledger entry: 68 years of CPU time, which no attempt reaches. */
const MAX_UNITS = 2 ** 31 - 1;

/**
 * The cost of one attempt at a subjob: one unit per CPU second, rounded up. No CPU time costs nothing, because nothing
 * ran (a skipped subjob, or outputs reused from an earlier run). Engine and ledger share this function, so a run shows
 * exactly what is billed for it.
 * @param cpuMs CPU time of the attempt in milliseconds
 */
export const executionUnits = (cpuMs: number): number =>
  Math.min(MAX_UNITS, Math.max(0, Math.ceil(cpuMs / MS_PER_UNIT)));

/**
 * Converts units to credits for display. One credit is a CPU minute; the result is rounded to hundredths, and one unit
 * is more than a hundredth.
 */
export const toCredits = (units: number): number => Math.round((units / UNITS_PER_CREDIT) * 100) / 100;

/** Converts credits to units, in which limits are compared. */
export const fromCredits = (credits: number): number => credits * UNITS_PER_CREDIT;
