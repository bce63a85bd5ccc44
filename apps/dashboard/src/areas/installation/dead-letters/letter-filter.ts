import type { DeadLetter, DeadLettersRetryBody } from '@millrace/client';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { readChoice, withoutEmpty } from '../../../routing/read-search.js';
import { countOf } from '../../../text/format-count.js';
import type { InstallationSearch } from '../search.js';

export const KINDS = ['event', 'job'] as const;

/** The filters that retrying and dropping accept as well. */
export type LetterFilter = Pick<DeadLettersRetryBody, 'kind' | 'service' | 'name'>;

export const readLetterFilter = ({ kind, service, name }: InstallationSearch): LetterFilter =>
  withoutEmpty({ kind: readChoice(kind, KINDS), service: readChoice(service, SERVICES), name });

/** What a button applies to. */
export interface Choice {
  body: DeadLettersRetryBody;
  count: number;
  /** In words, such as "3 dead letters". */
  words: string;
}

const wordsOf = (count: number): string => countOf(count, 'dead letter');

/** The selected records that are still listed; undefined if there are none. */
export function chooseSelected(listed: readonly DeadLetter[], selected: ReadonlySet<string>): Choice | undefined {
  const ids = listed.flatMap(({ id }) => (selected.has(id) ? [id] : []));
  return ids.length === 0 ? undefined : { body: { ids }, count: ids.length, words: wordsOf(ids.length) };
}

/** The first page of a list, newest first. */
interface Listed {
  count: number;
  results: readonly DeadLetter[];
}

/**
 * All records that match the filters, on all pages, except those that failed after the list was read: nobody has seen them.
 * Undefined without a filter, because the API refuses that, and with a search, which it does not accept here.
 */
export function chooseMatching(
  filter: LetterFilter,
  q: string | undefined,
  { count, results: [newest] }: Listed,
): Choice | undefined {
  if (q !== undefined || !newest || Object.keys(filter).length === 0) return undefined;
  // The time itself is not before it.
  const before = new Date(Date.parse(newest.failed_date) + 1).toISOString();
  return { body: { ...filter, before }, count, words: `all ${wordsOf(count)} that match the filters` };
}
