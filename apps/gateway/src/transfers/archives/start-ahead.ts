/**
 * Starts work on some items ahead of their turn, and yields what it started in the order of the items.
 * @param ahead number of items
 */
export async function* startAhead<Item, Started>(
  items: AsyncIterable<Item>,
  ahead: number,
  start: (item: Item) => Started,
): AsyncGenerator<Started, void> {
  const started: Started[] = [];
  for await (const item of items) {
    started.push(start(item));
    if (started.length > ahead) yield started.shift() as Started;
  }
  yield* started;
}
