import { decrypt, encrypt } from '../secrets/keys/cipher.js';

/** What a secret belongs to: it opens for this hook alone. */
export interface HookIdentity {
  vaultId: string;
  workflowId: string;
}

export const encryptHookSecret = (dataKey: Uint8Array, secret: string, place: HookIdentity): Uint8Array<ArrayBuffer> =>
  encrypt(dataKey, Buffer.from(secret), placeOf(place));

/** @throws where the bytes come from another hook or were changed */
export const decryptHookSecret = (dataKey: Uint8Array, sealed: Uint8Array, place: HookIdentity): string =>
  decrypt(dataKey, sealed, placeOf(place)).toString('utf8');

const placeOf = ({ vaultId, workflowId }: HookIdentity) => ['hook secret', vaultId, workflowId];
