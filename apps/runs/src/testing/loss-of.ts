import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Loss } from '../workers/lost-dispatch.js';

/** The loss of a dispatch with its worker `w`, which was on host `h` until the epoch began. */
export const lossOf = ({ dispatch }: Pick<DispatchPayload, 'dispatch'>): Loss => ({
  dispatch: BigInt(dispatch),
  ...{ worker: 'w', host: 'h', lastSeen: new Date(0), how: 'silent' },
});
