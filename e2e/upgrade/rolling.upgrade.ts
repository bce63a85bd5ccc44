import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MillraceClient } from '@millrace/client';
import { eventually } from '@millrace/testkit/eventually';
import { bindNode, makeTable, readRows } from '../support/live-table.js';
import { startOwnSystem } from '../support/own-system.js';
import { queryDatabase } from '../support/query-database.js';
import { receiveWebhooks } from '../support/receive-webhooks.js';
import {
  countRunEffects,
  enableAllNotifications,
  type ObservedSystem,
  type RunEffects,
} from '../support/run-effects.js';
import { RunLoad } from '../support/run-load.js';
import { makeWorkflow, script, waitForEnd } from '../support/run-workflow.js';
import type { ProcessDescription } from '../support/second-copies.js';
import { signUp } from '../support/sign-up.js';
import { findErrors } from './find-errors.js';
import { ServiceCopies, SERVICES } from './service-copies.js';

/** The folder of the old release, installed and built. `npm run test:upgrade` sets it. */
const CHECKOUT = process.env['TEST_UPGRADE_FROM'] ?? '';
/** Two loops start a run each in this time, about as many as two cores can run while processes start. */
const REQUEST_INTERVAL_MS = 700;
const SETTINGS = { EGRESS_ALLOW: '127.0.0.1', WORKER_DRAIN_SECONDS: '20' };
const ONCE: RunEffects = { entries: 2, subjobs: 2, notifications: 1, mails: 1, webhooks: 1 };

let observed: ObservedSystem;
let copies: ServiceCopies;
let load: RunLoad;
let table: string;
let descriptions: ProcessDescription[];

beforeAll(async () => {
  const [system, receiver] = await Promise.all([startOwnSystem(SETTINGS, { checkout: CHECKOUT }), receiveWebhooks()]);
  const account = await signUp(system.url);
  observed = { system, receiver, account };
  await enableAllNotifications(observed);
  const workflow = await makeWorkflow(account, {
    nodes: {
      'first-1': script('sleep 0.2; echo \'{"host":"example.org"}\''),
      'second-1': script('sleep 0.2; cat in/*/*'),
    },
    edges: [['first-1/file', 'second-1/file/first-1']],
  });
  table = await makeTable(account);
  await bindNode(account, workflow, table, 'second-1');
  copies = await ServiceCopies.open(system);
  const { gateways } = copies;
  load = new RunLoad({ gateways, access: account.access, workflow, intervalMs: REQUEST_INTERVAL_MS });
});
afterAll(async () => {
  await load?.stop();
  await copies?.stop();
  await Promise.all([observed?.system.stop(), observed?.receiver.stop()]);
});

describe('an upgrade under load, with two copies of each service,', () => {
  async function expectService(change: () => Promise<void>): Promise<void> {
    const begun = load.runs.length;
    await change();
    expect(load.problems).toEqual([]);
    await eventually(() => expect(load.runs.length).toBeGreaterThan(begun));
  }

  it('responds to every request while the database is migrated and old processes run', async () => {
    await expectService(async () => {
      const stdout = await observed.system.runScript(['lib/upgrade/apply-release.mjs']);
      descriptions = JSON.parse(stdout) as ProcessDescription[];
    });
  });

  it.each(['first', 'second'] as const)('responds to every request while the %s copies are replaced', async (which) => {
    for (const service of SERVICES) {
      const description = descriptions.find(({ name }) => name === service);
      if (!description) throw new Error(`The new release has no service ${service}`);
      await expectService(() => copies.replace(which, description));
    }
  });

  it('loses no run, repeats no step, and has each effect once', async () => {
    await load.stop();
    const { account, system } = observed;
    const [url = ''] = copies.gateways;
    observed.account = { ...account, url, client: new MillraceClient({ baseUrl: url, token: account.access }) };
    const { client } = observed.account;
    const ended = await Promise.all(load.runs.map((run) => waitForEnd(client, run)));
    expect(ended.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
    const text = 'SELECT run_id::text, attempt FROM runs.subjob WHERE attempt <> 1';
    expect(await queryDatabase(system.database, text)).toEqual([]);
    await eventually(async () => {
      const effects = await countRunEffects(observed, load.runs);
      expect(effects).toEqual(load.runs.map(() => ONCE));
    });
  });

  it('loads the output of each run once', async () => {
    const { client } = observed.account;
    await eventually(async () => expect(await readRows(client, table)).toHaveLength(load.runs.length));
    const text = `SELECT run_id::text, count(*)::int AS loads, min(status) AS status FROM datasets.load GROUP BY run_id`;
    const loads = await queryDatabase(observed.system.database, text);
    expect(loads.filter((row) => row['loads'] !== 1 || row['status'] !== 'COMPLETED')).toEqual([]);
  });

  it('leaves no event or job that failed, and none that waits', async () => {
    const { database } = observed.system;
    expect(await queryDatabase(database, 'SELECT * FROM messaging.dead_letter')).toEqual([]);
    await eventually(async () => {
      expect(await queryDatabase(database, 'SELECT * FROM messaging.outbox WHERE relayed_at IS NULL')).toEqual([]);
    });
  });

  it('keeps every object to which a row refers, and every encrypted value', async () => {
    const { system } = observed;
    const backups = mkdtempSync(join(tmpdir(), 'millrace-backups-'));
    expect(await system.runScript(['backup.mjs', backups])).toContain('The backup is');
    expect(await system.runScript(['backup-verify.mjs', backups])).toContain('The backup is complete.');
  });

  it('writes no error to the logs', () => {
    expect(findErrors(join(observed.system.folder, 'logs'))).toEqual([]);
  });
});
