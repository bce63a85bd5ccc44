import type { Operation } from '@millrace/contracts/kit/operation';
import type { CallResult, LooseInput } from './call-input.js';

/** The type of the records that a list operation returns. */
export type ListRecord<O extends Operation> = CallResult<O> extends { results: (infer R)[] } ? R : never;

interface Page {
  results: unknown[];
  next?: string | null;
  /** Where the next page begins. Without it, only the number of the page says so. */
  cursor?: string | null;
}

/** Requests a list page by page and yields its records. */
export async function* eachRecord<O extends Operation>(
  requestPage: (input: LooseInput) => Promise<unknown>,
  input: LooseInput,
): AsyncGenerator<ListRecord<O>, void> {
  const query = { page_size: 1000, ...(input.query as Record<string, unknown> | undefined) };
  let place: { cursor?: string } = {};
  for (let page = 1; ; page += 1) {
    const { results, next, cursor } = (await requestPage({ ...input, query: { ...query, page, ...place } })) as Page;
    yield* results as ListRecord<O>[];
    if (!next) return;
    place = cursor ? { cursor } : {};
  }
}
