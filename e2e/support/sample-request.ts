import type { Account } from './sign-up.js';

/** The input that a test sends to an operation. `as`: the user who sends it, if the operation depends on the user. */
export interface SampleRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  as?: Account;
}

export type RequestOf<World> = (world: World) => SampleRequest | Promise<SampleRequest>;
