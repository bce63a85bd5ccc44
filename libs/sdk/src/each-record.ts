import type { Operation } from '@millrace/contracts/kit/operation';
import type { CallResult, LooseInput } from './call-input.js';

/** What a list operation is a list of. */
export type ListRecord<O extends Operation> = CallResult<O> extends { results: (infer R)[] } ? R : never;

interface Page {
  results: unknown[];
  next?: string | null;
}

/** Asks a list page by page and gives its records one after the other. */
export async function* eachRecord<O extends Operation>(
  client: { send(operation: Operation, input: LooseInput): Promise<Response> },
  operation: O,
  input: LooseInput,
): AsyncGenerator<ListRecord<O>, void> {
  const query = { page_size: 1000, ...(input.query as Record<string, unknown> | undefined) };
  for (let page = 1; ; page += 1) {
    const response = await client.send(operation, { ...input, query: { ...query, page } });
    const { results, next } = (await response.json()) as Page;
    yield* results as ListRecord<O>[];
    if (!next) return;
  }
}
