/** When a record was made, by its id: a UUIDv7 begins with its time in milliseconds (RFC 9562, 5.7). */
export const timeOfId = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));
