/** Postgres found a pattern of `~` to be no regular expression (`invalid_regular_expression`): the user's error. */
export const isRegexError = (sqlState: string): boolean => sqlState === '2201B';
