const PLACEHOLDER = /\$\{\{\s*vars\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Thrown for a variable that is not defined in the space of the run. */
export class UnknownVariableError extends Error {
  constructor(readonly variable: string) {
    super(`the secret variable ${variable} is not defined`);
    this.name = 'UnknownVariableError';
  }
}

/** Lists the names in a text's `${{vars.NAME}}` placeholders, each once, in order of appearance. */
export function findVariables(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))];
}

/**
 * Replaces `${{vars.NAME}}` placeholders with the variables' values. Placeholders inside of a value are not replaced.
 * @throws UnknownVariableError if `lookup` returns undefined for a name
 */
export function substituteVariables(text: string, lookup: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = lookup(name);
    if (value === undefined) throw new UnknownVariableError(name);
    return value;
  });
}

/**
 * The space in which a plan resolves the variables in texts of one level. Absent if the texts use no variable or the level
 * is the workflow of the run, so that most plans keep format 1.
 */
export const variableSpace = (texts: readonly unknown[], space: string | null): { space?: string } =>
  space !== null && texts.some(usesVariable) ? { space } : {};

const usesVariable = (text: unknown): boolean => typeof text === 'string' && findVariables(text).length > 0;
