/**
 * Escapes a text for a LIKE pattern with the default escape character of Postgres. The filters `contains` and
 * `startsWith` of Prisma also build patterns, without escaping.
 */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
