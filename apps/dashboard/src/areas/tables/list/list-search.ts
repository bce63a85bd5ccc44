import { readChoice, readNumber, readText, withoutEmpty } from '../../../routing/read-search.js';

export interface ListSearch {
  /** Folders of views; tables by default. */
  show?: 'folders';
  /** Text in names and descriptions. */
  search?: string;
  space?: string;
  page?: number;
}

export function validateListSearch({ show, search, space, page }: Record<string, unknown>): ListSearch {
  const number = readNumber(page);
  return withoutEmpty({
    show: readChoice(show, ['folders'] as const),
    search: readText(search),
    space: readText(space),
    page: number === 1 ? undefined : number,
  });
}
