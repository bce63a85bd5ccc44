import type { WorkflowsValidateResponse } from '@millrace/client';

export type Problem = WorkflowsValidateResponse['errors'][number] & { isError: boolean };

export interface Problems {
  all: readonly Problem[];
  /** By the node or input that they are about. */
  byNode: ReadonlyMap<string, readonly Problem[]>;
}

export const NO_PROBLEMS: Problems = { all: [], byNode: new Map() };

export function readProblems({ errors, warnings }: WorkflowsValidateResponse): Problems {
  const all: Problem[] = [
    ...errors.map((problem) => ({ ...problem, isError: true })),
    ...warnings.map((problem) => ({ ...problem, isError: false })),
  ];
  const byNode = new Map<string, Problem[]>();
  for (const problem of all) {
    // A problem inside of a module is shown at the module.
    const node = problem.node?.split('/')[0];
    if (node === undefined) continue;
    const group = byNode.get(node);
    if (group) group.push(problem);
    else byNode.set(node, [problem]);
  }
  return { all, byNode };
}

/** The problems of one field of a node: by the port, or by the path inside of the node. */
export function problemsAt(problems: readonly Problem[], node: string, field: string): Problem[] {
  const paths = [`nodes.${node}.${field}`, `primitiveNodes.${node}.${field}`];
  return problems.filter(
    ({ port, path }) =>
      paths.some((own) => path === own || path?.startsWith(`${own}.`)) ||
      (port !== undefined && field === `inputs.${port}`),
  );
}
