/** The type of the records on a page. */
export type RecordOf<Page> = Page extends { results: readonly (infer Item)[] } ? Item : never;

/**
 * A list of records. `await` requests one page; `for await` yields the records of all pages, from the first or from the page that
 * the query names, and requests each page when the loop needs it. Nothing is requested before.
 */
export class List<Page> implements PromiseLike<Page>, AsyncIterable<RecordOf<Page>> {
  constructor(
    private readonly requestPage: () => Promise<Page>,
    private readonly eachPage: () => AsyncGenerator<Page, void>,
  ) {}

  // oxlint-disable-next-line unicorn/no-thenable -- a list that is awaited is its first page
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.requestPage().then(onPage, onError);
  }

  /** Yields page after page. */
  pages(): AsyncGenerator<Page, void> {
    return this.eachPage();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordOf<Page>, void> {
    for await (const page of this.eachPage()) yield* (page as { results: RecordOf<Page>[] }).results;
  }

  /** The records of all pages, or the first `limit` of them. */
  async toArray(limit = Infinity): Promise<RecordOf<Page>[]> {
    const records: RecordOf<Page>[] = [];
    if (limit <= 0) return records;
    for await (const record of this) {
      records.push(record);
      if (records.length >= limit) break;
    }
    return records;
  }
}
