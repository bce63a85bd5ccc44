/** Reads the query of an address as texts. The router's own reader turns `7` into a number and `1e5` into another text. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** Writes the query of an address, without fields that are undefined or empty. */
export function stringifySearch(search: Record<string, unknown>): string {
  const fields = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)] as [string, string]]
      : [],
  );
  const text = new URLSearchParams(fields.filter(([, value]) => value !== '')).toString();
  return text === '' ? '' : `?${text}`;
}
