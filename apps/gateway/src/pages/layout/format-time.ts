/** A moment as pages show it, in UTC, since a page does not know where its reader is. */
export const sayTime = (rfc3339: string): string => `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 19)} UTC`;
