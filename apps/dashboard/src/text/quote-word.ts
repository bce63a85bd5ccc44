/** A word of a command line for a POSIX shell, in single quotes if it has a character that the shell reads. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
