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
