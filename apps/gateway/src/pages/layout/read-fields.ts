/** Reads the fields of a submitted form or a query. A missing field is empty; the first of several values counts. */
export function readFields(parsed: unknown): (name: string) => string {
  const fields = new Map(Object.entries((parsed ?? {}) as Record<string, unknown>));
  return (name) => {
    const [value] = [fields.get(name)].flat();
    return typeof value === 'string' ? value : '';
  };
}
