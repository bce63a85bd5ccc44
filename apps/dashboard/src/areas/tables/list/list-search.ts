export interface ListSearch {
  /** Text in names and descriptions. */
  search?: string;
  space?: string;
}

export function validateListSearch({ search, space }: Record<string, unknown>): ListSearch {
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(typeof space === 'string' && space !== '' && { space }),
  };
}
