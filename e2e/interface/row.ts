/**
 * Fields by name, in the words of the interface document: a type (`string or null`, `array of string`, `enum A B`) and
 * its notes (`req`, `1..255`, `max 2000`, `default 1`). A name may lead inward (`data.connections[].source.id`). The
 * name `*` says that further properties are allowed.
 */
export type Fields = Readonly<Record<string, string>>;

/** One operation as the interface document describes it. What it leaves open is left out here. */
export interface Row {
  path?: Fields;
  /** What the document marks as required although it has a default, or filters (`search`), may be left out. */
  query?: Fields;
  body?: Fields;
  /** Of success. */
  status?: number;
  /** `'nothing'`: no body. */
  answer?: Fields | 'nothing';
  /** The other statuses that it lists. */
  errors?: readonly number[];
  /** It is asked without an Authorization header. */
  isPublic?: boolean;
  /** What the description says of the role that it wants. */
  minVaultRole?: string;
}

/** Most operations list these. */
export const USUAL = [400, 401, 403, 429, 500] as const;
/** Those that list neither 403 nor 429. */
export const FEW = [400, 401, 500] as const;

/** The body of every failure. */
export const ERROR: Fields = { code: 'string, req', message: 'string, req', details: 'object' };
