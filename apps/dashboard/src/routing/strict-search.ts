type Search = Record<string, unknown>;

/**
 * Makes a route know only what `read` returns. The router adds every field of the address that a validation leaves out, as the
 * text that anyone may have written into a link.
 */
export const strictSearch =
  <T extends object>(read: (search: Search) => T) =>
  (search: Search): T => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });
