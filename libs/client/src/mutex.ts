/** Runs work exclusively: no other work of the same lock runs at the same time. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a lock within this process, or within this page of a browser. Work runs in the order of the calls. */
export function createMutex(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
