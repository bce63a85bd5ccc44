import type { Worker } from '@millrace/client';
import { client } from '../../../api/client.js';
import { countOf } from '../../../text/format-count.js';
import type { MenuItem } from '../../../ui/menu.js';
import { useAction } from '../parts/use-action.js';

/** What can be done with a worker in its present state. */
export function useWorkerActions({ id, host, state }: Worker): MenuItem[] {
  const uncordon = useAction({
    run: () => client.workers.uncordon(id),
    describe: () => ({ title: `${host} takes work again` }),
    failure: `${host} takes no work`,
  });
  const undo = { label: 'Undo', onSelect: () => uncordon.mutate() };
  const cordon = useAction({
    run: () => client.workers.cordon(id),
    describe: () => ({ title: `${host} takes no new work`, action: undo }),
    failure: `${host} was not cordoned`,
  });
  const drain = useAction({
    run: () => client.workers.drain(id),
    describe: ({ busy }) => ({
      title: `${host} drains`,
      description: busy === 0 ? 'It is idle.' : `It still runs ${countOf(busy, 'dispatch', 'dispatches')}.`,
      action: undo,
    }),
    failure: `${host} does not drain`,
  });
  if (state === 'lost') return [];
  return [
    ...(state === 'active' ? [{ label: 'Cordon', icon: 'pause', onSelect: () => cordon.mutate() } as const] : []),
    ...(state === 'draining' ? [] : [{ label: 'Drain', icon: 'circleStop', onSelect: () => drain.mutate() } as const]),
    ...(state === 'active' ? [] : [{ label: 'Uncordon', icon: 'play', onSelect: () => uncordon.mutate() } as const]),
  ];
}
