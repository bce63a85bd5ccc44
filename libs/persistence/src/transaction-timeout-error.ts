/** A transaction took longer than its timeout, so Prisma rolled it back: on a busy machine, or because it does too much. */
export class TransactionTimeoutError extends Error {
  constructor(timeoutMs: number, cause: unknown) {
    super(`The transaction was rolled back because it took longer than ${timeoutMs} ms`, { cause });
    this.name = 'TransactionTimeoutError';
  }
}
