import { z } from 'zod';
import { SECRET, text } from '../kit/fields.js';

/**
 * How the sender signs its calls. `hmac`: a keyed hash of the body in a header. `github`, `stripe`, `slack`: the scheme
 * of that service. `standard`: Standard Webhooks 1.0 (standardwebhooks.com), which Millrace also uses for its own
 * webhooks.
 */
export const SIGNATURE_SCHEMES = ['hmac', 'github', 'stripe', 'slack', 'standard'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1'] as const;
export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const;

const signatureDetails = {
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name: up to 64 letters, digits and hyphens')
    .optional()
    .describe('Header with the signature; for the scheme `hmac` only'),
  algorithm: z
    .enum(SIGNATURE_ALGORITHMS)
    .optional()
    .describe('Hash of the HMAC; `sha256` by default; for the scheme `hmac` only'),
  encoding: z
    .enum(SIGNATURE_ENCODINGS)
    .optional()
    .describe('Encoding of the signature; `hex` by default; for the scheme `hmac` only'),
  prefix: text(32).optional().describe('Text before the signature, such as `sha256=`'),
};

/** The settings of a signature that responses contain: everything except the secret. */
export const hookSignature = z
  .object({ scheme: z.enum(SIGNATURE_SCHEMES), ...signatureDetails })
  .meta({ id: 'HookSignature' });

const newSignature = z
  .strictObject({
    scheme: z
      .enum(SIGNATURE_SCHEMES)
      .default('hmac')
      .describe(
        'How the sender signs: with an HMAC of the body in a header, as GitHub, Stripe or Slack do, or by Standard Webhooks 1.0',
      ),
    secret: text(1_000, 8).describe('Secret that the sender signs with; it is never shown again').meta(SECRET),
    ...signatureDetails,
  })
  .superRefine(({ scheme, ...settings }, context) => {
    if (scheme === 'hmac') {
      if (settings.header === undefined) {
        context.addIssue({ code: 'custom', path: ['header'], message: 'is required for the scheme hmac' });
      }
      return;
    }
    for (const key of ['header', 'algorithm', 'encoding', 'prefix'] as const) {
      if (settings[key] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: `is fixed for the scheme ${scheme}; omit it` });
    }
  });

/** Settings in a request; an omitted field keeps its value, null removes it. */
export const hookSettings = z.strictObject({
  payload_as: text(255, 1)
    .nullable()
    .optional()
    .describe('Id or label of the STRING or FILE input that receives the whole body, regardless of its content type'),
  signature: newSignature.nullable().optional().describe('Rejects calls that are not signed with this secret'),
});
