const MS_PER_UNIT = 1_000;

/**
 * What one subjob costs: a unit for each CPU second begun. None where no CPU time was used at all, as nothing ran then
 * (a skipped subjob, or outputs taken over from an earlier run).
 */
export const executionUnits = (cpuMs: number): number => Math.max(0, Math.ceil(cpuMs / MS_PER_UNIT));
