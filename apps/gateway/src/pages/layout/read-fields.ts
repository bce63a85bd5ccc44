/** Fields of a submitted form or of a query. One that is missing is empty; of one that is given twice the first counts. */
export function readFields(given: unknown): (name: string) => string {
  const fields = new Map(Object.entries((given ?? {}) as Record<string, unknown>));
  return (name) => {
    const [value] = [fields.get(name)].flat();
    return typeof value === 'string' ? value : '';
  };
}
