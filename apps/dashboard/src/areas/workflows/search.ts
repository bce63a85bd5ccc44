import { readChoice, readNumber, readText, withoutEmpty } from '../../routing/read-search.js';

/** What the address of the list of workflows says. */
export interface WorkflowsSearch {
  /** Id of a space. */
  space?: string;
  /** Id of a project of that space. */
  project?: string;
  q?: string;
  /** A field of the API's `ordering`. */
  sort?: string;
  page?: number;
}

const SORTS = ['name', '-name', 'created_date', '-created_date', 'modified_date', '-modified_date'] as const;
export const DEFAULT_SORT = '-modified_date';

/** Keeps what is valid. */
export function readWorkflowsSearch({ space, project, q, sort, page }: Record<string, unknown>): WorkflowsSearch {
  const [chosen, number] = [readChoice(sort, SORTS), readNumber(page)];
  return withoutEmpty({
    space: readText(space),
    project: readText(space) && readText(project),
    q: readText(q),
    sort: chosen === DEFAULT_SORT ? undefined : chosen,
    page: number === 1 ? undefined : number,
  });
}
