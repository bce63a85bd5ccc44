import { z } from 'zod';
import { text } from '../kit/fields.js';

/**
 * How the sender signs its calls. `hmac`: a keyed hash of the body in a header. `github`, `stripe`, `slack`: as those
 * services do. `standard`: Standard Webhooks 1.0 (standardwebhooks.com), which Millrace sends itself.
 */
export const SIGNATURE_SCHEMES = ['hmac', 'github', 'stripe', 'slack', 'standard'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1'] as const;
export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const;

const details = {
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .optional(),
  algorithm: z.enum(SIGNATURE_ALGORITHMS).optional(),
  encoding: z.enum(SIGNATURE_ENCODINGS).optional(),
  prefix: text(32).optional().describe('Text in front of the signature, such as `sha256=`'),
};

/** What is shown of a signature: everything but its secret. */
export const hookSignature = z.object({ scheme: z.enum(SIGNATURE_SCHEMES), ...details }).meta({ id: 'HookSignature' });

const newSignature = z
  .strictObject({
    scheme: z.enum(SIGNATURE_SCHEMES).default('hmac'),
    secret: text(1_000, 8).describe('The one that the sender signs with; it is never shown again'),
    ...details,
  })
  .superRefine(({ scheme, ...given }, context) => {
    if (scheme === 'hmac') {
      if (given.header === undefined) {
        context.addIssue({ code: 'custom', path: ['header'], message: 'is required for the scheme hmac' });
      }
      return;
    }
    for (const key of ['header', 'algorithm', 'encoding', 'prefix'] as const) {
      if (given[key] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: `is fixed for the scheme ${scheme}; leave it out` });
    }
  });

/** What a client sets; a field that is left out keeps its value, null removes it. */
export const hookSettings = z.strictObject({
  payload_as: text(255, 1)
    .nullable()
    .optional()
    .describe('Id or label of the STRING or FILE input that takes the whole body, whatever its content type'),
  signature: newSignature.nullable().optional().describe('Refuses calls that are not signed with this secret'),
});
