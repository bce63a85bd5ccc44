import type { SecretVariable } from '@millrace/persistence/generated/client';
import { decrypt, encrypt } from '../keys/cipher.js';

/** What a value belongs to: it can be decrypted only in the row for which it was encrypted. */
export type VariableIdentity = Pick<SecretVariable, 'id' | 'vaultId' | 'scopeType' | 'spaceId' | 'userId' | 'name'>;

export const encryptValue = (dataKey: Uint8Array, value: string, variable: VariableIdentity): Uint8Array<ArrayBuffer> =>
  encrypt(dataKey, Buffer.from(value, 'utf8'), toAssociatedData(variable));

/** @throws if the value belongs to another row or was changed */
export const decryptValue = (
  dataKey: Uint8Array,
  { value, ...variable }: VariableIdentity & { value: Uint8Array },
): string => decrypt(dataKey, value, toAssociatedData(variable)).toString('utf8');

const toAssociatedData = ({ id, vaultId, scopeType, spaceId, userId, name }: VariableIdentity) => [
  'secret variable',
  ...[id, vaultId, scopeType, spaceId, userId, name],
];
