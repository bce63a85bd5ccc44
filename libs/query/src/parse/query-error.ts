/** The parameter of a request that is wrong. */
export type QueryPart = 'q' | 'select' | 'order' | 'group_by' | 'metrics';

/** Something in a query that cannot be understood or does not fit the table. The message is made for its writer. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(
    readonly part: QueryPart,
    /** Where in the text it is: 0-based, in UTF-16 code units. */
    readonly position: number,
    /** What could stand there instead, for people to read. */
    readonly expected: string[],
    message: string,
  ) {
    super(message);
  }
}

/** Where in a request something stands; what a `QueryError` needs besides words. */
export interface Place {
  part: QueryPart;
  position: number;
}

export function refuse(place: Place, message: string, expected: string[] = []): never {
  throw new QueryError(place.part, place.position, expected, message);
}

/** User text inside a message, cut to a line's length. */
export const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
