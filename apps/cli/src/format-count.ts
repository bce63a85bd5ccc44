/** Formats a number of things: `1 row`, `2 rows`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
