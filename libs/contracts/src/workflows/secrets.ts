import { z } from 'zod';
import { anyUser, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { SECRET, text, timestamp, idOf } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';

export const SCOPE_TYPES = ['vault', 'space', 'user'] as const;

/** Variables that every run has; users cannot set them. */
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
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must consist of letters, digits and `_`, and must not start with a digit')
  .refine((name) => name !== '__proto__', 'must not be `__proto__`')
  .describe('Name, unique in its scope: letters, digits and `_`, at most 255');

/** Maximum size of a value as UTF-8. All step output is searched for every value in about thirty encodings. */
export const MAX_VALUE_BYTES = 32 * 1024;
/** Maximum number per vault, per space, and per user in a vault. */
export const MAX_VARIABLES = 1_000;

const value = text(MAX_VALUE_BYTES, 1)
  .refine(
    (value) => new TextEncoder().encode(value).length <= MAX_VALUE_BYTES,
    `must be at most ${MAX_VALUE_BYTES} bytes long as UTF-8`,
  )
  .describe(`Value of at most ${MAX_VALUE_BYTES} bytes as UTF-8; it is never shown again`)
  .meta(SECRET);

export const listSecretVariables = operation('workflows.secrets.list', {
  method: 'GET',
  path: '/secret-variables',
  summary: 'List secret variables that you can use, without their values',
  description: 'Without filters: those of the vault, of the spaces that you may edit, and your own.',
  access: anyUser,
  additionalPermissions: { 'with `space`': 'space.edit' },
  query: z.strictObject({
    scope_type: z.enum(SCOPE_TYPES).optional().describe('Return only variables of this scope'),
    space: z.string().optional().describe('Return only variables of the space with this id'),
  }),
  response: z.object({ success: z.boolean(), results: z.array(secretVariable) }),
  errors: ['not_found'],
});

const additionalPermissions = {
  'for a variable of the vault': 'vault.administer',
  'for a variable of a space': 'space.administer',
} as const;

export const createSecretVariable = operation('workflows.secrets.create', {
  method: 'POST',
  path: '/secret-variables',
  summary: 'Add a secret variable',
  description:
    'A variable of the vault or of a space is managed by the owners there. A variable of a user is used in the ' +
    'runs that this user starts. If names collide, the variable of the space precedes that of the vault, which ' +
    `precedes that of the user. A value can have ${MAX_VALUE_BYTES} bytes as UTF-8, and a scope ${MAX_VARIABLES} ` +
    'variables.',
  access: anyUser,
  additionalPermissions,
  body: z.strictObject({
    name: variableName,
    value,
    scope_type: z
      .enum(SCOPE_TYPES)
      .describe('Who uses the variable: all runs of the vault, those in a space, or those of one user'),
    space: text(255, 1)
      .optional()
      .describe('Id of the space; required if the scope is `space`, otherwise not accepted'),
  }),
  response: secretVariable,
  status: 201,
  errors: ['not_found'],
});

export const updateSecretVariable = operation('workflows.secrets.update', {
  method: 'PUT',
  path: '/secret-variables/{id}',
  summary: 'Change the value or name of a secret variable',
  description: 'Runs that have already read the previous value continue with it, until something in them is retried.',
  access: anyUser,
  additionalPermissions,
  params: idOf('secret variable'),
  body: z.strictObject({ value, name: variableName.optional() }),
  response: secretVariable,
});

export const deleteSecretVariable = operation('workflows.secrets.delete', {
  method: 'DELETE',
  path: '/secret-variables/{id}',
  summary: 'Delete a secret variable',
  description:
    'Runs that have already read the value continue with it. A run that starts later and still uses the variable ' +
    'is refused with 400.',
  access: anyUser,
  additionalPermissions,
  params: idOf('secret variable'),
  response: z.null(),
  status: 204,
});

/** A secret variable was created, changed or deleted; for the audit log. */
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
    agent: z.string().optional(),
  }),
});

/** A raw X25519 public key, as base64url. */
export const recipientKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/**
 * Digests that represent secrets in cache keys: the HMAC-SHA256 of each value, by its key, under a key of the vault, so
 * that a reader of a cache key cannot find a value by guessing. `salt` is derived the same way and keys everything else
 * in the cache keys of the run, because secrets may be part of arguments and files.
 */
export const secretDigests = z.object({ salt: z.string(), values: z.record(z.string(), z.string()) });
export type SecretDigests = z.infer<typeof secretDigests>;

/** Values by key (`variableKey` in libs/graph), encrypted for one worker; `missing` lists undefined keys. */
export const sealedVariables = z.object({
  sealed: z.string(),
  missing: z.array(z.string()),
  /** Absent from a service of an earlier version. */
  digests: secretDigests.optional(),
});

const names = z.array(z.string()).max(10_000);

const variableSelection = {
  vault: z.uuid(),
  space: z.uuid().describe('Space of the run'),
  user: z.uuid().describe('Author of the run'),
  names: names.describe('Variables that the texts of the workflow refer to'),
  modules: z
    .array(z.object({ space: z.uuid(), names }))
    .max(100)
    .optional()
    .describe('Variables that the texts of modules refer to, by the space of the module'),
};

/**
 * Masks the values of the variables that a run uses, and of no others: otherwise a user who may start runs could
 * discover secrets by passing guesses as inputs. Texts and response have the same order; null means that a text
 * contains no value.
 */
export const maskSecrets = internalOperation('workflows.secrets.mask', {
  summary: 'Mask the values of secret variables in texts that users will see',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ ...variableSelection, texts: z.array(z.string()) }),
  response: z.object({ texts: z.array(z.string().nullable()) }),
});

/**
 * Returns the values that a run uses. Variables of the space precede those of the vault, which precede those of its
 * author, so a user who may only run a workflow cannot replace its values. A module gets the values of its own space
 * and of the vault, and those of the author only if its space is that of the run. All requests of one run get the same
 * values, even if the variables change.
 */
export const revealSecrets = internalOperation('workflows.secrets.reveal', {
  summary: 'Get the values of secret variables, encrypted for one worker',
  access: onlyServices('runs'),
  // Only the first request of a run stores anything, and all later ones get the same result.
  readOnly: true,
  body: z.object({
    ...variableSelection,
    run: z.string().describe('`<run>`, or `<run>.<n>` after its nth repair, which takes new values'),
    recipient: recipientKey,
  }),
  response: sealedVariables,
});

/** Called before a run starts. */
export const findUndefinedVariables = internalOperation('workflows.secrets.findUndefined', {
  summary: 'Find which variables of a run are not defined',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object(variableSelection),
  response: z.object({ missing: z.array(z.string()).describe('Keys of variables') }),
});
