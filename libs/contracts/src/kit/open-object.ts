import { z } from 'zod';
import { findSimilarKey } from './find-similar-key.js';

/**
 * An object that allows additional properties and keeps them, but refuses those that look like a misspelt known key:
 * otherwise a slip such as `expected_version` would silently turn off what the client asked for.
 */
export function openObject<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape);
  return z.looseObject(shape).superRefine((value, context) => {
    for (const key of Object.keys(value)) {
      const near = known.includes(key) ? undefined : findSimilarKey(key, known);
      if (near === undefined) continue;
      const message = `is not a known field; did you mean "${near}"?`;
      context.addIssue({ code: 'custom', path: [key], message });
    }
  });
}
