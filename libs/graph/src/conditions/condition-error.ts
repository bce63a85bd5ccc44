import type { ProblemCode } from '../check/problem.js';

/** A condition that names something that does not exist, or compares something with a value that it can never have. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';

  constructor(
    /** Position in the text: 0-based, in UTF-16 code units. */
    readonly position: number,
    message: string,
    /** Alternatives that are valid at this position, for people to read. */
    readonly expected: string[],
    readonly hint: string,
    readonly code: ProblemCode = 'bad_condition',
    /** Returns a better hint, at the cost of a search for similar names. */
    readonly suggest?: () => string | undefined,
  ) {
    super(message);
  }
}
