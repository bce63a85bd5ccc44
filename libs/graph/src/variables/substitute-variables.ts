const PLACEHOLDER = /\$\{\{\s*vars\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Thrown for a variable that is not defined where the workflow runs. */
export class UnknownVariableError extends Error {
  constructor(readonly variable: string) {
    super(`the secret variable ${variable} is not defined`);
    this.name = 'UnknownVariableError';
  }
}

/** Names of the variables in `${{vars.NAME}}` placeholders, each once, in order of appearance. */
export function findVariables(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))];
}

/**
 * Puts variables in place of their `${{vars.NAME}}` placeholders. A value is not looked through again.
 * Throws `UnknownVariableError` for one that `lookup` does not know.
 */
export function substituteVariables(text: string, lookup: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = lookup(name);
    if (value === undefined) throw new UnknownVariableError(name);
    return value;
  });
}
