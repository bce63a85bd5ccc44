/** Maximum number of prepared statements per connection. */
const MAX_PREPARED_STATEMENTS = 500;
/** Maximum number of texts that are counted: lists of varying length produce ever new texts. */
const MAX_COUNTED_TEXTS = 5_000;
/** A statement is prepared when it is used this often. */
const MIN_USES = 3;

/**
 * Names repeated statements, so that Postgres prepares them once per connection (Postgres docs, PREPARE). Without it,
 * parsing took two thirds of the time of the statements of the engine.
 * @returns a function from the text of a statement to its name, or undefined if it is not prepared
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const useCounts = new Map<string, number>();
  const nameOf = ({ sql }: { sql: string }): string | undefined => {
    const existing = names.get(sql);
    if (existing !== undefined || names.size >= MAX_PREPARED_STATEMENTS) return existing;
    const uses = (useCounts.get(sql) ?? 0) + 1;
    if (uses < MIN_USES) {
      if (useCounts.size < MAX_COUNTED_TEXTS) useCounts.set(sql, uses);
      return undefined;
    }
    useCounts.delete(sql);
    const name = `millrace_${names.size}`;
    names.set(sql, name);
    return name;
  };
  // adapter-pg passes the name to pg, where undefined means an unnamed statement; only the type does not allow it.
  return nameOf as (query: { sql: string }) => string;
}
