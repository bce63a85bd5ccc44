export interface Placeholder {
  /** As it stands in the text. */
  text: string;
  /** Of the variable; null where it is not written as it must be. */
  name: string | null;
  /** How it would have to be written. */
  meant: string;
}

/** Names are 255 characters at most; without bounds a text of braces would be gone through again at each. */
const ANY =
  /\$\{\{([^{}]{0,300})\}\}|(?<!\$)\{\{\s{0,9}vars\.([^{}]{0,300})\}\}|\$\{\s{0,9}vars\.([^{}]{0,300})\}|\$\{\{\s{0,9}vars\.(\w{0,255})/g;
const RIGHT = /^\s*vars\.([A-Za-z_][A-Za-z0-9_]*)\s*$/;

/** Most that are looked at of one text. */
const MOST = 1_000;

/**
 * Placeholders of variables in a text, each once: `${{vars.NAME}}`, and what looks as if it was meant to be one, such as
 * `${{NAME}}`, `${vars.NAME}`, `{{vars.NAME}}` or `${{vars.NAME` that is not closed.
 */
export function findPlaceholders(text: string): Placeholder[] {
  if (!text.includes('{')) return [];
  const found = new Map<string, Placeholder>();
  for (const [whole, inner, bare, single, open] of text.matchAll(ANY)) {
    const name = inner === undefined ? null : (RIGHT.exec(inner)?.[1] ?? null);
    const meant = nameIn(inner ?? bare ?? single ?? open ?? '');
    found.set(whole, { text: whole, name, meant: `\${{vars.${meant}}}` });
    if (found.size === MOST) break;
  }
  return [...found.values()];
}

/** The name that was likely meant: the last word that can be one, as `TOKEN` in `secrets.TOKEN`. */
function nameIn(inner: string): string {
  const last = /([A-Za-z_][A-Za-z0-9_]*)[^A-Za-z0-9_]*$/.exec(inner)?.[1] ?? 'NAME';
  return last === 'vars' ? 'NAME' : last;
}
