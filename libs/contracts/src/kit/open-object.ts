import { z } from 'zod';
import { describeUnknownKey } from './describe-issue.js';
import { findSimilarKey } from './find-similar-key.js';

/**
 * An object that accepts and keeps additional properties, but rejects one that looks like a misspelt known key.
 * Otherwise `expected_version` instead of `expected_version_id` would silently disable the check that the client wants.
 */
export function openObject<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape);
  return z.looseObject(shape).superRefine((value, context) => {
    for (const key of Object.keys(value)) {
      if (known.includes(key) || findSimilarKey(key, known) === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: describeUnknownKey(key, known) });
    }
  });
}
