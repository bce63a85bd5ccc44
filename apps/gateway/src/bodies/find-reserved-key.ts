/** Keys that a body must not have, because they could change the prototype of an object that is made from it. */
const PROTO = '__proto__';
const CONSTRUCTOR = 'constructor';

/**
 * Finds the first key of a body that the JSON parser rejects although the JSON is valid: `__proto__`, or `constructor` with a
 * `prototype` in it.
 * @returns the path of the key, such as `body.data.__proto__`; null if there is none, or the text is not JSON
 */
export function findReservedKey(text: string): string | null {
  const root = parse(text);
  let level: [string, object][] = isObject(root) ? [['body', root]] : [];
  // Level by level, because a body can be nested deeper than functions can call each other.
  while (level.length > 0) {
    const next: [string, object][] = [];
    for (const [path, node] of level) {
      if (Object.hasOwn(node, PROTO)) return `${path}.${PROTO}`;
      for (const [key, value] of Object.entries(node)) {
        if (!isObject(value)) continue;
        if (key === CONSTRUCTOR && Object.hasOwn(value, 'prototype')) return `${path}.${CONSTRUCTOR}`;
        next.push([`${path}.${key}`, value]);
      }
    }
    level = next;
  }
  return null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
