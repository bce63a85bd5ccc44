/**
 * The shape of a JSON value: the types of its values by key, without the values. Elements of an array have one shape, with all keys of
 * all elements.
 */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.map(shapeOf).reduce(mergeShapes, []);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

/** An array of the distinct shapes; objects are merged into one. */
function mergeShapes(shapes: unknown, shape: unknown): unknown {
  const all = shapes as unknown[];
  if (typeof shape !== 'object' || shape === null || Array.isArray(shape)) {
    return all.some((each) => JSON.stringify(each) === JSON.stringify(shape)) ? all : [...all, shape];
  }
  const at = all.findIndex((each) => typeof each === 'object' && !Array.isArray(each));
  return at < 0 ? [...all, shape] : all.with(at, { ...(all[at] as object), ...shape });
}
