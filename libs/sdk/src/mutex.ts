/** Runs work exclusively: while it runs, no other work of the same lock does. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** A lock within this process, or within this page of a browser; work runs in the order in which it came. */
export function createMutex(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
