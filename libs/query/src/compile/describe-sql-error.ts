/** Postgres found a pattern of `~` to be no regular expression (`invalid_regular_expression`). */
export const isRegexError = (sqlState: string): boolean => sqlState === '2201B';

/**
 * What the writer of a query did wrong where only Postgres could find it, by its SQLSTATE; undefined where it is nobody's
 * fault, or another's.
 */
export function describeSqlError(sqlState: string): string | undefined {
  if (isRegexError(sqlState)) return 'a pattern after ~ is not a valid regular expression';
  // numeric_value_out_of_range
  return sqlState === '22003' ? 'a sum or an average exceeds the range of its type' : undefined;
}
