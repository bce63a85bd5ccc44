import { Injectable } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { DataKeys, type WrappedKey } from './data-keys.js';
import { decryptValue, type Place } from './encrypt-value.js';
import { maskTexts } from './mask-texts.js';

/** Whose variables count: those that a run of the user in the space could have. */
export interface Owner {
  vault: string;
  space: string;
  user: string;
}

/** Inputs as people see them; a type and no interface, so that it fits a JSON column. */
export type ShownInputs = {
  given: Record<string, string | boolean>;
  /** Keys of `given` in which something is masked. */
  masked: string[];
};

type Row = Place & WrappedKey & { value: Uint8Array };

/** Values up to this size are looked for by line as well. Larger ones only count for texts that they fit into. */
const MAX_BY_LINE_BYTES = 8 * 1024;

/** Masks the values of secret variables in texts, without giving any away. */
@Injectable()
export class SecretMasker {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  /** @returns null for each text that contains no secret */
  async mask(texts: readonly string[], owner: Owner): Promise<(string | null)[]> {
    if (texts.length === 0) return [];
    const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)));
    // A rotation may end between the reading of the rows and that of the key file.
    const values = await this.readValues(owner, longest).catch(() => this.readValues(owner, longest));
    return maskTexts(texts, values);
  }

  /** What people see of inputs. */
  async show(inputs: Record<string, string | boolean>, owner: Owner): Promise<ShownInputs> {
    const texts = Object.entries(inputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const masks = await this.mask(
      texts.map(([, text]) => text),
      owner,
    );
    const masked = texts.flatMap(([key], at) => (typeof masks[at] === 'string' ? [[key, masks[at]] as const] : []));
    return { given: { ...inputs, ...Object.fromEntries(masked) }, masked: masked.map(([key]) => key) };
  }

  private async readValues(owner: Owner, longest: number): Promise<string[]> {
    const rows = await this.find(owner, longest);
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

  private find({ vault, space, user }: Owner, longest: number): Promise<Row[]> {
    return this.database.client.$queryRaw<Row[]>`
      SELECT s.id, s.vault_id AS "vaultId", s.scope_type AS "scopeType", s.space_id AS "spaceId", s.user_id AS "userId",
        s.name, s.value, k.vault_id AS vault, k.wrapped, k.master_key AS "masterKey"
      FROM workflows.secret_variable s JOIN workflows.data_key k ON k.vault_id = s.vault_id
      WHERE s.vault_id = ${vault}::uuid AND octet_length(s.value) <= ${Math.max(MAX_BY_LINE_BYTES, longest + 64)}::int
        AND (s.scope_type = 'vault' OR (s.scope_type = 'space' AND s.space_id = ${space}::uuid)
          OR (s.scope_type = 'user' AND s.user_id = ${user}::uuid))`;
  }
}
