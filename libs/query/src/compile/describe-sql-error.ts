/** Whether a pattern of `~` is not a valid regular expression (`invalid_regular_expression`). */
export const isRegexError = (sqlState: string): boolean => sqlState === '2201B';

/**
 * Describes an error in a query that only Postgres can detect, by its SQLSTATE. Returns undefined if the query did not cause
 * the error.
 */
export function describeSqlError(sqlState: string): string | undefined {
  if (isRegexError(sqlState)) return 'a pattern after ~ is not a valid regular expression';
  // numeric_value_out_of_range
  return sqlState === '22003' ? 'a sum or an average exceeds the range of its type' : undefined;
}
