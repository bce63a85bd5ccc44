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

const SORTS = ['name', 'created_date', 'modified_date'];
export const DEFAULT_SORT = '-modified_date';

/** Keeps what is valid. */
export function readWorkflowsSearch({ space, project, q, sort, page }: Record<string, unknown>): WorkflowsSearch {
  const number = Number(page);
  return {
    ...(typeof space === 'string' && { space }),
    ...(typeof project === 'string' && typeof space === 'string' && { project }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof sort === 'string' && SORTS.includes(sort.replace(/^-/, '')) && sort !== DEFAULT_SORT && { sort }),
    ...(Number.isInteger(number) && number > 1 && { page: number }),
  };
}
