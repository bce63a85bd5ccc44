import { readNumber, readText, withoutEmpty } from '../../routing/read-search.js';

/** What the addresses of the area contain. Each page has some of the fields, and checks their values itself. */
export interface InstallationSearch {
  /** Text that records contain. */
  q?: string;
  page?: number;
  /** Id of the record whose details are open beside the list. */
  open?: string;
  state?: string;
  kind?: string;
  service?: string;
  /** Name of an event, a job or an act. */
  name?: string;
  fleet?: string;
  /** Id of a vault. */
  vault?: string;
}

const TEXTS = ['q', 'open', 'state', 'kind', 'service', 'name', 'fleet', 'vault'] as const;

export function readInstallationSearch(search: Record<string, unknown>): InstallationSearch {
  const texts = Object.fromEntries(TEXTS.map((field) => [field, readText(search[field])]));
  return withoutEmpty({ ...texts, page: readNumber(search['page']) });
}
