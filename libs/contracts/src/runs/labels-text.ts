/** The parts of a text that has commas between them, without the spaces around them and without empty ones. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Reads labels as they are set on a worker: `gpu=true,zone=eu`. @returns null if the text is no such list */
export function parseLabels(text: string): Record<string, string> | null {
  const entries = splitList(text).map((part): [name: string, value: string] => {
    const at = part.indexOf('=');
    return at < 0 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return entries.every(([name, value]) => name !== '' && value !== '') ? Object.fromEntries(entries) : null;
}

/** Writes labels as `parseLabels` reads them. */
export const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
