/** Statements kept prepared on each connection at the most. */
const MOST = 500;
/** Texts that are counted at the most: lists of changing length make ever new ones. */
const MAX_COUNTED = 5_000;
/** A statement seen this often is worth its place. */
const OFTEN = 3;

/**
 * Gives statements that come again a name, under which Postgres keeps them parsed and planned on each connection
 * (Postgres docs, PREPARE): two thirds of the time that the engine's statements took went into reading them anew.
 * @returns for the text of a statement its name, or undefined where it is not worth one
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  const nameOf = ({ sql }: { sql: string }): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MOST) return known;
    const times = (seen.get(sql) ?? 0) + 1;
    if (times < OFTEN) {
      if (seen.size < MAX_COUNTED) seen.set(sql, times);
      return undefined;
    }
    seen.delete(sql);
    const name = `millrace_${names.size}`;
    names.set(sql, name);
    return name;
  };
  // adapter-pg hands the name on to pg, for which undefined is an unnamed statement; its type only lacks the word.
  return nameOf as (query: { sql: string }) => string;
}
