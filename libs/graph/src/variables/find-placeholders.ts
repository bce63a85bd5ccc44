export interface Placeholder {
  /** The placeholder as it is written in the text. */
  text: string;
  /** Name of the variable; null if the placeholder is malformed. */
  name: string | null;
  /** The correct form of the placeholder. */
  suggestion: string;
}

/** Names have at most 255 characters. The bounds keep the search linear in a text that consists of braces. */
const CANDIDATE =
  /\$\{\{([^{}]{0,300})\}\}|(?<!\$)\{\{\s{0,9}vars\.([^{}]{0,300})\}\}|\$\{\s{0,9}vars\.([^{}]{0,300})\}|\$\{\{\s{0,9}vars\.(\w{0,255})/g;
const WELL_FORMED = /^\s*vars\.([A-Za-z_][A-Za-z0-9_]*)\s*$/;

/** Placeholders per text that are checked. */
const MAX_PLACEHOLDERS = 1_000;

/**
 * Finds the placeholders of variables in a text, each once: `${{vars.NAME}}`, and malformed ones such as `${{NAME}}`,
 * `${vars.NAME}`, `{{vars.NAME}}` or an unclosed `${{vars.NAME`.
 */
export function findPlaceholders(text: string): Placeholder[] {
  if (!text.includes('{')) return [];
  const found = new Map<string, Placeholder>();
  for (const [whole, inner, bare, single, open] of text.matchAll(CANDIDATE)) {
    const name = inner === undefined ? null : (WELL_FORMED.exec(inner)?.[1] ?? null);
    const intended = guessName(inner ?? bare ?? single ?? open ?? '');
    found.set(whole, { text: whole, name, suggestion: `\${{vars.${intended}}}` });
    if (found.size === MAX_PLACEHOLDERS) break;
  }
  return [...found.values()];
}

/** Guesses the intended name: the last word that can be a name, such as `TOKEN` in `secrets.TOKEN`. */
function guessName(inner: string): string {
  const last = /([A-Za-z_][A-Za-z0-9_]*)[^A-Za-z0-9_]*$/.exec(inner)?.[1] ?? 'NAME';
  return last === 'vars' ? 'NAME' : last;
}
