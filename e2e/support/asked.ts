import type { Account } from './sign-up.js';

/** What an operation is asked with. `as`: who has to ask, where it is about whoever asks. */
export interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  as?: Account;
}

export type Ask<World> = (world: World) => Asked | Promise<Asked>;
