import { Injectable } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { DataKeys, type WrappedKey } from '../keys/data-keys.js';
import { joinDefinedVariables, listVariableKeys, type RequestedVariables } from '../runs/requested-variables.js';
import { decryptValue, type VariableIdentity } from '../variables/encrypt-value.js';
import { maskTexts } from './mask-texts.js';

/** Inputs with secrets masked. A type and not an interface, so that it fits a JSON column. */
export type MaskedInputs = {
  given: Record<string, string | boolean>;
  /** Keys of `given` whose values are masked. */
  masked: string[];
};

type Row = VariableIdentity & WrappedKey & { value: Uint8Array };

/** Values up to this size are also searched line by line. Larger ones are searched only in texts in which they fit. */
const MAX_MULTILINE_VALUE_BYTES = 8 * 1024;

/**
 * Masks the values of the secret variables that a run uses. Other secrets are not masked: otherwise a user who may
 * start runs could find them by guessing inputs.
 */
@Injectable()
export class SecretMasker {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  /** @returns null for each text without secrets */
  async mask(texts: readonly string[], requested: RequestedVariables): Promise<(string | null)[]> {
    if (texts.length === 0 || listVariableKeys(requested).length === 0) return texts.map(() => null);
    const maxTextBytes = Math.max(...texts.map((text) => Buffer.byteLength(text)));
    // Retry, because a rotation may have finished after the rows were read and before the key file was.
    const values = await this.readValues(requested, maxTextBytes).catch(() => this.readValues(requested, maxTextBytes));
    return maskTexts(texts, values);
  }

  /** The inputs as users may see them. */
  async maskInputs(inputs: Record<string, string | boolean>, requested: RequestedVariables): Promise<MaskedInputs> {
    const texts = Object.entries(inputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const masks = await this.mask(
      texts.map(([, text]) => text),
      requested,
    );
    const masked = texts.flatMap(([key], at) => (typeof masks[at] === 'string' ? [[key, masks[at]] as const] : []));
    return { given: { ...inputs, ...Object.fromEntries(masked) }, masked: masked.map(([key]) => key) };
  }

  private async readValues(requested: RequestedVariables, maxTextBytes: number): Promise<string[]> {
    const rows = await this.selectValues(requested, maxTextBytes);
    const [first] = rows;
    if (!first) return [];
    const key = this.keys.unwrap(first);
    return rows.flatMap((row) => {
      try {
        return [decryptValue(key, row)];
      } catch {
        // A run cannot have a value that cannot be decrypted.
        return [];
      }
    });
  }

  private selectValues(requested: RequestedVariables, maxTextBytes: number): Promise<Row[]> {
    return this.database.client.$queryRaw<Row[]>`
      SELECT DISTINCT v.id, v.vault_id AS "vaultId", v.scope_type AS "scopeType", v.space_id AS "spaceId",
        v.user_id AS "userId", v.name, v.value, d.vault_id AS vault, d.wrapped, d.master_key AS "masterKey"
      FROM ${joinDefinedVariables(requested)} JOIN workflows.data_key d ON d.vault_id = v.vault_id
      WHERE octet_length(v.value) <= ${Math.max(MAX_MULTILINE_VALUE_BYTES, maxTextBytes + 64)}::int`;
  }
}
