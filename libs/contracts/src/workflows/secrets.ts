import { z } from 'zod';
import { anyUser, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, text, timestamp } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';

export const SCOPE_TYPES = ['vault', 'space', 'user'] as const;

/** Variables that every run has; nobody can set them. */
export const BUILT_IN_VARIABLES = ['VAULT_NAME', 'USER_ID', 'RUN_ID'] as const;

export const secretVariable = z
  .object({
    id: z.string(),
    name: z.string(),
    scope_type: z.enum(SCOPE_TYPES),
    space: z.string().optional(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'SecretVariable' });

const variableName = text(255, 1)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and _, not beginning with a digit')
  .refine((name) => name !== '__proto__', 'cannot be the name of a variable');

/** Of one value as UTF-8: each is looked for in all that steps print, in some thirty spellings. */
export const MAX_VALUE_BYTES = 32 * 1024;
/** In one vault, in one space, or of one user in a vault. */
export const MAX_VARIABLES = 1_000;

const value = text(MAX_VALUE_BYTES, 1).refine(
  (value) => new TextEncoder().encode(value).length <= MAX_VALUE_BYTES,
  `must be at most ${MAX_VALUE_BYTES} bytes as UTF-8`,
);

export const listSecretVariables = operation('workflows.secrets.list', {
  method: 'GET',
  path: '/secret-variables',
  summary: 'Secret variables that the caller can use, without their values',
  description: 'Without filters: those of the vault, of the spaces that the caller may edit, and their own.',
  access: anyUser,
  additionalPermissions: { 'with `space`': 'space.edit' },
  query: z.strictObject({ scope_type: z.enum(SCOPE_TYPES).optional(), space: z.string().optional() }),
  response: z.object({ success: z.boolean(), results: z.array(secretVariable) }),
  errors: ['not_found'],
});

const additionalPermissions = {
  'for one of the vault': 'vault.administer',
  'for one of a space': 'space.administer',
} as const;

export const createSecretVariable = operation('workflows.secrets.create', {
  method: 'POST',
  path: '/secret-variables',
  summary: 'Add a secret variable',
  description:
    'Of the vault: its owners. Of a space: its owners. Of a user: themselves, for the runs that they start. Of one name the ' +
    `space’s goes before the vault’s, and that before the user’s own. A value has at most ${MAX_VALUE_BYTES} bytes as UTF-8, ` +
    `a scope at most ${MAX_VARIABLES} variables.`,
  access: anyUser,
  additionalPermissions,
  body: z.strictObject({
    name: variableName,
    value,
    scope_type: z.enum(SCOPE_TYPES),
    space: text(255, 1).optional().describe('Where the scope is a space'),
  }),
  response: secretVariable,
  status: 201,
  errors: ['not_found'],
});

export const updateSecretVariable = operation('workflows.secrets.update', {
  method: 'PUT',
  path: '/secret-variables/{id}',
  summary: 'Give a secret variable another value',
  description: 'Runs that have taken the former value go on with it.',
  access: anyUser,
  additionalPermissions,
  params: idParams,
  body: z.strictObject({ value, name: variableName.optional() }),
  response: secretVariable,
});

export const deleteSecretVariable = operation('workflows.secrets.delete', {
  method: 'DELETE',
  path: '/secret-variables/{id}',
  summary: 'Delete a secret variable',
  access: anyUser,
  additionalPermissions,
  params: idParams,
  response: z.null(),
  status: 204,
});

/** A secret variable was made, got another value or name, or is gone; for the audit log. */
export const secretChanged = event('workflows.secret.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    change: z.enum(['created', 'changed', 'deleted']),
    vault: z.uuid(),
    user: z.uuid(),
    variable: z.uuid(),
    name: z.string(),
    scope: z.enum(SCOPE_TYPES),
    space: z.uuid().optional(),
    address: z.string().optional(),
  }),
});

/** A public key of X25519, raw, as base64url. */
export const recipientKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/**
 * What stands for secrets in cache keys: HMAC-SHA256 of each value, by its key, under a key of the vault, so that nobody who
 * reads a cache key can find a value by trying. `salt`, which is made in the same way, is the key for all else that the
 * run's cache keys are made from, because a secret may have found its way into arguments and files.
 */
export const secretDigests = z.object({ salt: z.string(), values: z.record(z.string(), z.string()) });
export type SecretDigests = z.infer<typeof secretDigests>;

/**
 * Values by key (`variableKey` in libs/graph), encrypted to the key of one worker; `missing` are keys that nothing defines.
 */
export const sealedVariables = z.object({
  sealed: z.string(),
  missing: z.array(z.string()),
  /** Absent from a service of an earlier version. */
  digests: secretDigests.optional(),
});

const names = z.array(z.string()).max(10_000);

const takenVariables = {
  vault: z.uuid(),
  space: z.uuid().describe('Space of the run'),
  user: z.uuid().describe('Author of the run'),
  names: names.describe('Variables that the texts of the workflow name'),
  modules: z
    .array(z.object({ space: z.uuid(), names }))
    .max(100)
    .optional()
    .describe('Variables that the texts of modules name, by the space of the module'),
};

/**
 * Masks the values of the variables that a run takes. Only of those: otherwise a user who may start runs could find out
 * other secrets by giving guesses as inputs. Texts and response have the same order; null means that a text contains no
 * value.
 */
export const maskSecrets = internalOperation('workflows.secrets.mask', {
  summary: 'Replace the values of secret variables in texts that people will see',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ ...takenVariables, texts: z.array(z.string()) }),
  response: z.object({ texts: z.array(z.string().nullable()) }),
});

/**
 * The values that a run sees: the space's go before the vault's, and those before its author's own, so that a user who may
 * only run a workflow cannot replace what it was written with. A module sees the values of its own space and of the vault,
 * and those of the run's author only if that space is the one of the run. All requests of one run get the values of the
 * first, even if the variables change.
 */
export const revealSecrets = internalOperation('workflows.secrets.reveal', {
  summary: 'Values of secret variables, readable by one worker alone',
  access: onlyServices('runs'),
  // What the first question leaves is the same for all that follow it.
  readOnly: true,
  body: z.object({ ...takenVariables, run: z.string(), recipient: recipientKey }),
  response: sealedVariables,
});

/** Whether a run could have its variables; looked up before it starts. */
export const findUndefinedVariables = internalOperation('workflows.secrets.findUndefined', {
  summary: 'Find which of the variables that a run takes are not defined',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object(takenVariables),
  response: z.object({ missing: z.array(z.string()).describe('Keys of variables') }),
});
