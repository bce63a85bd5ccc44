import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { LostDispatch } from '../workers/lost-dispatch.js';

/** A dispatch that was lost with its worker `w` on host `h`, whose last heartbeat came at the start of the epoch. */
export const loseDispatch = ({ dispatch }: Pick<DispatchPayload, 'dispatch'>): LostDispatch => ({
  dispatch: BigInt(dispatch),
  ...{ worker: 'w', host: 'h', lastSeen: new Date(0), cause: 'silent' },
});
