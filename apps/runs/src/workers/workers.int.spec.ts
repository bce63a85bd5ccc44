import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import { heartbeats, workerOrders } from '@millrace/contracts/runs/engine';
import { heartbeat, type Heartbeat } from '@millrace/contracts/runs/report';
import {
  cordonWorker,
  deleteFleet,
  drainWorker,
  getWorker,
  listFleets,
  listWorkers,
  uncordonWorker,
} from '@millrace/contracts/runs/workers';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';

let system: SystemWithStore;
let worker: FakeService;
const orders: Payload<typeof workerOrders>[] = [];
beforeAll(async () => {
  system = await startWithStore([start, start]);
  worker = await system.fake('worker');
  worker.broker.subscribe(workerOrders, (order) => void orders.push(order));
});
afterAll(() => system.close());

const administrator: Caller = { ...ownerCaller(), instance: { via: 'session', scope: 'write' } };
const id = (name: string) => ({ params: { id: name } });
const send = (name: string, more: Partial<Heartbeat> = {}) =>
  worker.broker.publish(
    heartbeats,
    heartbeat.parse({ worker: name, host: 'h', slots: 4, dispatches: [], replaces: null, ...more }),
  );
const stateOf = async (name: string) => (await system.callAs(administrator, getWorker, id(name))).state;
const fleetOf = async (name: string) =>
  (await system.callAs(administrator, listFleets)).results.find((fleet) => fleet.name === name);

describe('a worker', () => {
  it('is listed with what it has, as soon as its first heartbeat arrives', async () => {
    send('w-a', { fleet: 'gpu', labels: { gpu: 'true' }, sizes: ['large'], version: '1.2.3', programs: ['bash'] });
    await eventually(async () => {
      const { results } = await system.callAs(administrator, listWorkers);
      expect(results).toMatchObject([
        { id: 'w-a', fleet: 'gpu', labels: { gpu: 'true' }, sizes: ['large'], slots: 4, busy: 0, state: 'active' },
      ]);
    });
    await eventually(async () =>
      expect(await fleetOf('gpu')).toMatchObject({ workers: 1, slots: 4, busy: 0, waiting: 0 }),
    );
  });

  it('gets the order of an administrator until its heartbeats show it, and takes no slots from then on', async () => {
    send('w-b', { fleet: 'other' });
    await eventually(() => stateOf('w-b'));
    expect((await system.callAs(administrator, cordonWorker, id('w-b'))).state).toBe('cordoned');
    await eventually(() => expect(orders).toContainEqual({ worker: 'w-b', state: 'cordoned' }));
    await eventually(async () => expect(await fleetOf('other')).toMatchObject({ workers: 1, slots: 0 }));
    const before = orders.length;
    send('w-b', { fleet: 'other' });
    await eventually(() => expect(orders.length).toBeGreaterThan(before));
    expect((await system.callAs(administrator, drainWorker, id('w-b'))).state).toBe('draining');
    expect((await system.callAs(administrator, uncordonWorker, id('w-b'))).state).toBe('active');
    await eventually(() => expect(orders).toContainEqual({ worker: 'w-b', state: 'active' }));
  });

  it('is hidden from users who do not administer the installation, whatever their role is', async () => {
    for (const operation of [getWorker, cordonWorker, uncordonWorker, drainWorker])
      await expect(system.callAs(ownerCaller(), operation, id('w-a'))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('that does not exist is 404', async () => {
    for (const operation of [getWorker, cordonWorker, uncordonWorker, drainWorker])
      await expect(system.callAs(administrator, operation, id('w-x'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a fleet', () => {
  it('is refused to be forgotten while it has workers, and is gone afterwards', async () => {
    const params = { params: { name: 'gone' } };
    send('w-c', { fleet: 'gone' });
    await eventually(async () => expect(await fleetOf('gone')).toBeDefined());
    await eventually(async () =>
      expect(await system.database.query('SELECT 1 FROM runs.fleet WHERE name = $1', ['gone'])).toHaveLength(1),
    );
    await expect(system.callAs(administrator, deleteFleet, params)).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'params.name': expect.stringContaining('1 connected workers') },
    });
    send('w-c', { fleet: 'gone', state: 'stopped' });
    await eventually(() => system.callAs(administrator, deleteFleet, params));
    await eventually(async () => expect(await fleetOf('gone')).toBeUndefined());
    await expect(system.callAs(administrator, deleteFleet, params)).rejects.toMatchObject({ code: 'not_found' });
  });
});
