/** A transaction referred to stored objects that have been deleted as unused. It had no effect. */
export class ContentsGoneError extends Error {
  override name = 'ContentsGoneError';
  constructor(readonly hashes: readonly string[]) {
    super(`${hashes.length} stored objects have been deleted as unused (the first is ${hashes[0]})`);
  }
}

/** The message of `contents.claim`, which reaches us through the driver, and wrapped by Prisma. */
const GONE = /contents are gone: ([0-9a-f]{64}(?:,[0-9a-f]{64})*)/;

/** The hashes that `contents.claim` refused; null for any other error. */
export function findGoneContents(error: unknown): string[] | null {
  if (!(error instanceof Error)) return null;
  const match = GONE.exec(error.message) ?? GONE.exec(JSON.stringify({ ...error }));
  return match?.[1]?.split(',') ?? null;
}
