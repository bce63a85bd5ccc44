/** A job that may not be done now: it comes again after `waitMs`, and this was none of its tries. */
export class NotYet extends Error {
  constructor(readonly waitMs: number) {
    super(`Not for ${waitMs} ms`);
  }
}
