/** Text that a LIKE pattern takes literally, with Postgres' default escape character. Prisma's `contains` and `startsWith` make patterns as well, without escaping. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
