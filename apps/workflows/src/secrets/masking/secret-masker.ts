import { Injectable } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { DataKeys, type WrappedKey } from '../keys/data-keys.js';
import { joinDefinedVariables, listVariableKeys, type RequestedVariables } from '../runs/requested-variables.js';
import { decryptValue, type VariableIdentity } from '../variables/encrypt-value.js';
import { maskTexts } from './mask-texts.js';

/** Inputs as people see them; a type and no interface, so that it fits a JSON column. */
export type MaskedInputs = {
  given: Record<string, string | boolean>;
  /** Keys of `given` in which something is masked. */
  masked: string[];
};

type Row = VariableIdentity & WrappedKey & { value: Uint8Array };

/** Values up to this size are looked for by line as well. Larger ones only count for texts that they fit into. */
const MAX_MULTILINE_VALUE_BYTES = 8 * 1024;

/**
 * Masks the values of the secret variables that a run takes. Others stay as they are: otherwise a user who may start runs
 * could find them out by giving guesses as inputs.
 */
@Injectable()
export class SecretMasker {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  /** @returns null for each text that contains no secret */
  async mask(texts: readonly string[], taken: RequestedVariables): Promise<(string | null)[]> {
    if (texts.length === 0 || listVariableKeys(taken).length === 0) return texts.map(() => null);
    const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)));
    // A rotation may end between the reading of the rows and that of the key file.
    const values = await this.readValues(taken, longest).catch(() => this.readValues(taken, longest));
    return maskTexts(texts, values);
  }

  /** What people see of inputs. */
  async maskInputs(inputs: Record<string, string | boolean>, taken: RequestedVariables): Promise<MaskedInputs> {
    const texts = Object.entries(inputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const masks = await this.mask(
      texts.map(([, text]) => text),
      taken,
    );
    const masked = texts.flatMap(([key], at) => (typeof masks[at] === 'string' ? [[key, masks[at]] as const] : []));
    return { given: { ...inputs, ...Object.fromEntries(masked) }, masked: masked.map(([key]) => key) };
  }

  private async readValues(taken: RequestedVariables, longest: number): Promise<string[]> {
    const rows = await this.find(taken, longest);
    const [first] = rows;
    if (!first) return [];
    const key = this.keys.unwrap(first);
    return rows.flatMap((row) => {
      try {
        return [decryptValue(key, row)];
      } catch {
        // No run can have a value that does not open.
        return [];
      }
    });
  }

  private find(taken: RequestedVariables, longest: number): Promise<Row[]> {
    return this.database.client.$queryRaw<Row[]>`
      SELECT DISTINCT v.id, v.vault_id AS "vaultId", v.scope_type AS "scopeType", v.space_id AS "spaceId",
        v.user_id AS "userId", v.name, v.value, d.vault_id AS vault, d.wrapped, d.master_key AS "masterKey"
      FROM ${joinDefinedVariables(taken)} JOIN workflows.data_key d ON d.vault_id = v.vault_id
      WHERE octet_length(v.value) <= ${Math.max(MAX_MULTILINE_VALUE_BYTES, longest + 64)}::int`;
  }
}
