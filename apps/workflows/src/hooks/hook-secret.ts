import { hash, randomBytes } from 'node:crypto';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { decrypt, encrypt } from '../secrets/keys/cipher.js';

/** The hook that a secret belongs to. The secret can be decrypted for this hook only. */
export interface HookIdentity {
  vaultId: string;
  workflowId: string;
}

export const encryptHookSecret = (dataKey: Uint8Array, secret: string, hook: HookIdentity): Uint8Array<ArrayBuffer> =>
  encrypt(dataKey, Buffer.from(secret), toAssociatedData(hook));

/** @throws if the bytes belong to another hook or were changed */
export const decryptHookSecret = (dataKey: Uint8Array, encrypted: Uint8Array, hook: HookIdentity): string =>
  decrypt(dataKey, encrypted, toAssociatedData(hook)).toString('utf8');

const toAssociatedData = ({ vaultId, workflowId }: HookIdentity) => ['hook secret', vaultId, workflowId];

const PREFIX_LENGTH = 8;

/** A new hook token: 256 bits in base64url, which is safe in a path; and the prefix that may be shown. */
export function newHookToken(): { token: string; prefix: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, prefix: token.slice(0, PREFIX_LENGTH) };
}

/** The hash that is stored. A fast hash is enough, because 256 random bits cannot be guessed. */
export const hashHookToken = (token: string): string => hash('sha256', token, 'hex');

/** The error for a token that no hook has. The caller belongs to no vault, so the message names none. */
export const newUnknownHookError = (): ApiError =>
  new ApiError('not_found', 'This hook does not exist. It was deleted, or its token was replaced.');
