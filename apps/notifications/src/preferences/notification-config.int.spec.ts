import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  type ConfigChange,
  getNotificationConfig,
  updateNotificationConfig,
} from '@millrace/contracts/notifications/notification-config';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { timeOfId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { runEnd } from '../testing/run-end.js';
import { DEFAULT_CONFIG } from './merge-config.js';

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start, start]);
  runs = await system.sourceOf('runs');
});
afterAll(() => system.close());

const get = (caller: Caller) => system.callAs(caller, getNotificationConfig);
const update = (caller: Caller, change: ConfigChange) =>
  system.callAs(caller, updateNotificationConfig, { body: { config: JSON.stringify(change) } });

describe('the configuration of a user', () => {
  it('without stored preferences is the default, dated at the creation of the user', async () => {
    const caller = ownerCaller();
    const { user } = caller;
    const expected = { id: user, user_info: user, modified_date: timeOfId(user).toISOString(), config: DEFAULT_CONFIG };
    expect(await get(caller)).toEqual(expected);
    expect(await get(caller)).toEqual(expected);
  });

  it('keeps all values that a change does not name', async () => {
    const caller = ownerCaller();
    await update(caller, { RUN_FAILED: { email: false } });
    const changed = await update(caller, { TOOL_RELEASED: { in_app: false, email: true } });
    expect(changed.config).toEqual({
      ...DEFAULT_CONFIG,
      RUN_FAILED: { email: false, in_app: true },
      TOOL_RELEASED: { email: true, in_app: false },
    });
    expect(await get(caller)).toEqual(changed);
    expect(Date.parse(changed.modified_date)).toBeGreaterThanOrEqual(timeOfId(caller.user).getTime());
    expect((await get({ ...ownerCaller(), vault: caller.vault })).config).toEqual(DEFAULT_CONFIG);
  });

  it('applies all of several concurrent changes', async () => {
    const caller = ownerCaller();
    const types = Object.keys(DEFAULT_CONFIG) as (keyof typeof DEFAULT_CONFIG)[];
    await Promise.all(types.map((type) => update(caller, { [type]: { in_app: false } })));
    expect(Object.values((await get(caller)).config).map(({ in_app }) => in_app)).toEqual(types.map(() => false));
  });
});

it('a type that is off in the app is not stored, and the others are', async () => {
  const author = ownerCaller();
  await update(author, { MANUAL_RUN_COMPLETED: { in_app: false } });
  for (const status of ['COMPLETED', 'FAILED'] as const) await runs.emit(runFinished, runEnd(author, { status }));
  const types = async () => (await system.callAs(author, listNotifications)).results.map(({ type }) => type);
  await eventually(async () => expect(await types()).toEqual(['RUN_FAILED']));
  await update(author, { MANUAL_RUN_COMPLETED: { in_app: true } });
  await runs.emit(runFinished, runEnd(author));
  await eventually(async () => expect(await types()).toEqual(['MANUAL_RUN_COMPLETED', 'RUN_FAILED']));
});
