import { describe, expect, it } from '@jest/globals';
import type { Notification } from '@millrace/client';
import { findTarget } from './find-target.js';
import { markInPages, removeFromPages, type Pages } from './list/mark-in-pages.js';
import { readNotificationsSearch } from './search.js';

describe('findTarget', () => {
  const target = (metadata: Record<string, unknown>) => findTarget({ metadata });

  it('leads to the run, and to the table rather than to the run that loaded it', () => {
    expect(target({ run: 7, workflow: 'w', space: 's' })).toEqual({ to: '/runs/$runId', params: { runId: '7' } });
    expect(target({ run: 7, dataset: 'd', solution: 's' })).toEqual({
      to: '/tables/$tableId',
      params: { tableId: 'd' },
    });
    expect(target({ run: 7, dataset: 'd', solution: 's', view: 'v' })).toEqual({
      to: '/solutions/$solutionId/views/$viewId',
      params: { solutionId: 's', viewId: 'v' },
    });
  });

  it('leads to the library', () => {
    expect(target({ module: 'm', author: 'u' })).toEqual({
      to: '/library/modules/$moduleId',
      params: { moduleId: 'm' },
    });
    expect(target({ snapshot: 's', workflow: 'w' })).toEqual({
      to: '/library/workflows/$snapshotId',
      params: { snapshotId: 's' },
    });
  });

  it('leads to the schedule that could not start', () => {
    expect(target({ workflow: 'w', schedule: 's', reason: 'x' })).toEqual({
      to: '/schedules',
      search: { workflow: 'w' },
    });
  });

  it('leads nowhere if it names nothing', () => {
    expect(target({})).toBeUndefined();
    expect(target({ run: null, workflow: {} })).toBeUndefined();
  });
});

describe('pages of notifications', () => {
  const notification = (id: string): Notification => ({
    ...{ id, notification_type: 'RUN_FAILED', type: 'RUN_FAILED', title: id, message: '', seen: false, is_read: false },
    ...{ user_id: 'u', metadata: {}, created_date: '2026-11-26T00:00:00Z' },
  });
  const page = (...ids: string[]) => ({ results: ids.map(notification), count: ids.length, unseen_count: 0 });
  const pages: Pages = { pages: [page('a', 'b'), page('c')], pageParams: [1, 2] };
  const seenIds = ({ pages: all }: Pages) =>
    all.flatMap(({ results }) => results.filter(({ seen }) => seen).map(({ id }) => id));

  it('mark one and keep the others', () => {
    expect(seenIds(markInPages(pages, 'c', true))).toEqual(['c']);
    expect(seenIds(markInPages(markInPages(pages, 'c', true), 'c', false))).toEqual([]);
  });

  it('lose one', () => {
    const left = removeFromPages(pages, 'a').pages.map(({ results }) => results.map(({ id }) => id));
    expect(left).toEqual([['b'], ['c']]);
  });
});

it('the address keeps known fields', () => {
  const search = { tab: 'settings', unseen: 'true', type: 'RUN_FAILED' };
  expect(readNotificationsSearch(search)).toEqual(search);
  expect(readNotificationsSearch({ tab: 'list', unseen: 'false', type: 'OTHER' })).toEqual({});
});
