/** The creation time of a record, read from its id: a UUIDv7 begins with a time in milliseconds (RFC 9562, 5.7). */
export const timeOfId = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));
