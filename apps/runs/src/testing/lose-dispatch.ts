import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { LostDispatch } from '../workers/lost-dispatch.js';

/** The loss of a dispatch with its worker `w`, which was on host `h` until the epoch began. */
export const loseDispatch = ({ dispatch }: Pick<DispatchPayload, 'dispatch'>): LostDispatch => ({
  dispatch: BigInt(dispatch),
  ...{ worker: 'w', host: 'h', lastSeen: new Date(0), cause: 'silent' },
});
