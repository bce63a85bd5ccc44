/**
 * Fields by name, in the words of the interface document: a type (`string or null`, `array of string`, `enum A B`) and
 * its notes (`req`, `1..255`, `max 2000`, `default 1`). A name can be a path to a nested field
 * (`data.connections[].source.id`). The name `*` allows further properties.
 */
export type Fields = Readonly<Record<string, string>>;

/** One operation as the interface document describes it. A row omits what the document does not specify. */
export interface Row {
  path?: Fields;
  /** Parameters that have a default or only filter (`search`) are optional, although the document marks them as required. */
  query?: Fields;
  body?: Fields;
  /** The status of a successful response. */
  status?: number;
  /** Fields of the successful response. `'nothing'`: it has no body. */
  response?: Fields | 'nothing';
  /** The other statuses that the document lists. */
  errors?: readonly number[];
  /** Whether the operation is called without an Authorization header. */
  isPublic?: boolean;
  /** The role that the operation requires according to the document's description of it. */
  minVaultRole?: string;
}

/** The statuses that most operations list. */
export const USUAL_ERRORS = [400, 401, 403, 429, 500] as const;
/** The statuses of operations that list neither 403 nor 429. */
export const FEW_ERRORS = [400, 401, 500] as const;

/** The body of every failure. */
export const ERROR: Fields = { code: 'string, req', message: 'string, req', details: 'object' };
