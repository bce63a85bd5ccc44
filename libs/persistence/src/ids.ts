import { v7 } from 'uuid';

/** Creates a UUIDv7 (RFC 9562). It is ordered by time, so rows created together are stored together. */
export const newId = (): string => v7();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if the id of a client is a UUID. Postgres would fail on a malformed id instead of finding no row. */
export const isId = (value: string): boolean => UUID.test(value);

/** The creation time of a record, read from its id: a UUIDv7 begins with a time in milliseconds (RFC 9562, 5.7). */
export const timeOfId = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));

const MAX_NUMERIC_ID_DIGITS = 18;

/**
 * Converts the digits of a numeric id for a query. A number beyond 18 digits becomes 0, which no record has: Postgres
 * would fail on a number beyond 64 bits instead of finding no row.
 */
export const toNumericId = (digits: string): bigint => (digits.length > MAX_NUMERIC_ID_DIGITS ? 0n : BigInt(digits));
