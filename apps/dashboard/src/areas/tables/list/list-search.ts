export interface ListSearch {
  /** Folders of views; tables by default. */
  show?: 'folders';
  /** Text in names and descriptions. */
  search?: string;
  space?: string;
  page?: number;
}

export function validateListSearch({ show, search, space, page }: Record<string, unknown>): ListSearch {
  const number = Number(page);
  return {
    ...(show === 'folders' && { show }),
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(typeof space === 'string' && space !== '' && { space }),
    ...(Number.isInteger(number) && number > 1 && { page: number }),
  };
}
