import type { Dataset, Solution } from '@millrace/client';

export interface SolutionGroup {
  /** Undefined while the solution is not loaded. */
  solution: Solution | undefined;
  id: string;
  space: string;
  tables: readonly Dataset[];
}

/**
 * Tables by their solution, in the order of the solutions' names.
 * @param withEmpty whether solutions without a table are groups as well
 */
export function groupTables(
  tables: readonly Dataset[],
  solutions: readonly Solution[],
  withEmpty: boolean,
): SolutionGroup[] {
  const bySolution = Map.groupBy(tables, ({ solution }) => solution);
  const known = solutions
    .filter(({ id }) => withEmpty || bySolution.has(id))
    .map((solution) => ({
      solution,
      id: solution.id,
      space: solution.space,
      tables: bySolution.get(solution.id) ?? [],
    }));
  const names = new Set(known.map(({ id }) => id));
  const others = [...bySolution]
    .filter(([id]) => !names.has(id))
    .map(([id, own]) => ({ solution: undefined, id, space: own[0]?.space ?? '', tables: own }));
  return [...known, ...others];
}
