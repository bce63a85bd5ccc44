const MAX_CONCURRENT_TRANSFERS = 4;

/** Transfers several files at the same time. After a failure, no further transfer starts. */
export async function transferAll<T>(
  items: Iterable<T> | AsyncIterable<T>,
  transfer: (item: T) => Promise<void>,
): Promise<void> {
  const queue = iterate(items);
  let hasFailed = false;
  const work = async () => {
    for (;;) {
      const next = hasFailed ? { done: true as const } : await queue.next();
      if (next.done) return;
      try {
        await transfer(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_TRANSFERS }, work));
}

async function* iterate<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
