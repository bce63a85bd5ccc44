/** The parameter of a request with an error. */
export type QueryPart = 'q' | 'select' | 'order' | 'group_by' | 'metrics';

/** A syntax error of a query, or a mismatch with the table. The message is for the user who wrote the query. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(
    readonly part: QueryPart,
    /** Position in the text: 0-based, in UTF-16 code units. */
    readonly position: number,
    /** Alternatives that are valid at this position, for people to read. */
    readonly expected: string[],
    message: string,
  ) {
    super(message);
  }
}

/** A position in a request. */
export interface Place {
  part: QueryPart;
  position: number;
}

export function refuse(place: Place, message: string, expected: string[] = []): never {
  throw new QueryError(place.part, place.position, expected, message);
}

/** Quotes user text in a message, cut to 60 characters. */
export const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
