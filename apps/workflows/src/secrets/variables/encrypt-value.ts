import type { SecretVariable } from '@millrace/persistence/generated/client';
import { decrypt, encrypt } from '../keys/cipher.js';

/** What a value belongs to: it opens in the very row that it was written for. */
export type VariableIdentity = Pick<SecretVariable, 'id' | 'vaultId' | 'scopeType' | 'spaceId' | 'userId' | 'name'>;

export const encryptValue = (dataKey: Uint8Array, value: string, place: VariableIdentity): Uint8Array<ArrayBuffer> =>
  encrypt(dataKey, Buffer.from(value, 'utf8'), placeOf(place));

/** @throws where the value comes from another row or was changed */
export const decryptValue = (
  dataKey: Uint8Array,
  { value, ...place }: VariableIdentity & { value: Uint8Array },
): string => decrypt(dataKey, value, placeOf(place)).toString('utf8');

const placeOf = ({ id, vaultId, scopeType, spaceId, userId, name }: VariableIdentity) => [
  'secret variable',
  ...[id, vaultId, scopeType, spaceId, userId, name],
];
