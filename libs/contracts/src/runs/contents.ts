import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';
import { sha256 } from './files.js';

/** Maximum number of hashes per request. */
export const MAX_RESTORED_CONTENTS = 5_000;

/**
 * Called by a service whose transaction refers to stored objects that were deleted as unused. Objects whose bytes have been
 * stored again can be referred to from then on.
 */
export const restoreContents = internalOperation('runs.contents.restore', {
  summary: 'Make deleted objects usable whose bytes are stored again',
  access: onlyServices('workflows', 'datasets'),
  body: z.object({ hashes: z.array(sha256).min(1).max(MAX_RESTORED_CONTENTS) }),
  response: z.object({ missing: z.array(sha256) }),
});

/** For a check that the objects to which the records of a service refer exist. */
export const findMissingContents = internalOperation('runs.contents.findMissing', {
  summary: 'Find the objects of a list that are not stored',
  access: onlyServices('workflows', 'datasets'),
  readOnly: true,
  body: z.object({ hashes: z.array(sha256).max(MAX_RESTORED_CONTENTS) }),
  response: z.object({ missing: z.array(sha256) }),
});
