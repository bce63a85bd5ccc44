/**
 * Finds the parts of a value that a function does not read. The validators of kubernetes-models ignore unknown fields, but they
 * read every field that they know.
 * @returns paths of the properties that `read` has not read, such as `spec.replica`; not those below them
 */
export function findUnreadPaths(value: object, read: (observed: object) => void): string[] {
  const unread = new Map<string, string>();
  const observe = (part: unknown, path: string): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const own = part as Record<string, unknown>;
    const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`);
    for (const key of Object.keys(own)) unread.set(pathOf(key), key);
    const observed = new Map(Object.keys(own).map((key) => [key, observe(own[key], pathOf(key))]));
    return new Proxy(part, {
      get: (target, key, receiver) => {
        if (typeof key !== 'string' || !observed.has(key)) return Reflect.get(target, key, receiver) as unknown;
        unread.delete(pathOf(key));
        return observed.get(key);
      },
    });
  };
  read(observe(value, '') as object);
  const paths = [...unread.keys()];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
}
