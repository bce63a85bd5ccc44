import type { Version } from '@millrace/persistence/generated/client';

/** A version's data as it is stored, to be saved once more byte for byte. */
export const toEncodedData = ({ data, dataHash, modules, library }: Version) => ({ data, dataHash, modules, library });
