/** Lets work under the same key run one at a time, in order of arrival. Of this process only. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last.set(key, promise);
    await before;
    try {
      return await work();
    } finally {
      if (this.last.get(key) === promise) this.last.delete(key);
      resolve();
    }
  }
}
