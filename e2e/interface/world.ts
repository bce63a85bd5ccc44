import { vaults } from '@millrace/contracts/resources';
import { makeOneOfEach, type OneOfEach } from '../support/one-of-each.js';
import { signUp, type Account } from '../support/sign-up.js';

/** The records that the examples use. */
export interface World extends OneOfEach {
  vault: string;
}

export async function makeWorld(): Promise<World> {
  const owner = await signUp();
  const { id: vault } = await owner.client.call(vaults.getVault);
  return { ...(await makeOneOfEach(owner)), vault };
}

/** A request as the document describes it, which succeeds. */
export interface DocumentedRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** The user who sends the request. The default is the vault's owner. */
  as?: Account;
  /** Values that the response must have, in addition to its fields and their types. */
  expected?: object;
  /** DocumentedOperation fields that the response omits, because they have no value here. */
  without?: readonly string[];
}

export type Example = (world: World) => DocumentedRequest | Promise<DocumentedRequest>;
