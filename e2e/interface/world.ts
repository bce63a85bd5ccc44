import { vaults } from '@millrace/sdk/resources';
import { makeOneOfEach, type OneOfEach } from '../support/one-of-each.js';
import { signUp, type Account } from '../support/sign-up.js';

/** What the examples ask about. */
export interface World extends OneOfEach {
  vault: string;
}

export async function makeWorld(): Promise<World> {
  const owner = await signUp();
  const { id: vault } = await owner.client.call(vaults.getVault);
  return { ...(await makeOneOfEach(owner)), vault };
}

/** A request as the document has it, which succeeds. */
export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Who asks; the vault's owner, where nothing is said. */
  as?: Account;
  /** What the answer says, beyond its fields and their types. */
  says?: object;
  /** Documented fields of the answer that have no value here, and so are left out. */
  without?: readonly string[];
}

export type Example = (world: World) => Asked | Promise<Asked>;
