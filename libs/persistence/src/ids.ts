import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562): time-ordered, so rows made together lie together. */
export const newId = (): string => v7();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a client's id can be one of ours at all; Postgres fails on a malformed one where "not found" is meant. */
export const isId = (value: string): boolean => UUID.test(value);
