export interface SetCookie {
  value: string;
  /** In lower case, in the order in which they were sent. */
  attributes: string[];
}

/** The cookies that a response sets or deletes, by name. */
export function readSetCookies(headers: Headers): Map<string, SetCookie> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const [name = '', value = ''] = pair.split('=');
      return [name, { value, attributes: attributes.map((attribute) => attribute.toLowerCase()) }];
    }),
  );
}

/** The header `Cookie` of a browser that has these cookies. */
export const toCookieHeader = (cookies: Map<string, SetCookie>): string =>
  [...cookies]
    .filter(([, { value }]) => value !== '')
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ');
