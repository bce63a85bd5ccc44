import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { datasets, runs, secrets } from '@millrace/contracts/resources';
import { startS3, type TestS3 } from '@millrace/storage/testing/start-s3';
import { eventually } from '@millrace/testkit/eventually';
import { distributedWorkflow } from './support/distributed-workflow.js';
import { bindNode, makeTable, readRows, waitForLoad } from './support/live-table.js';
import { databaseUrl, startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { recordSecret } from './support/record-secret.js';
import { makeWorkflow, readFilePort, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

/** Their run takes longer than a backup, also on a busy machine. */
const CHILDREN = 80;
const SECRET = 'the value of a secret variable';
const LINES = Array.from({ length: CHILDREN }, (_, index) => `did ${index + 1}\n`).join('');

let system: OwnSystem;
let account: Account;
/** For backups, and for other data that is not in the data directory. */
let folder: string;
let backups: string;
let s3: TestS3;
let workflows: { hosts: string; secret: string; slow: string };
let table: string;
let ended: string;
let underWay: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-backups-'));
  backups = join(folder, 'backups');
  [system, s3] = await Promise.all([startOwnSystem({}, { separate: [] }), startS3()]);
  account = await signUp(system.url);
  await makeWorkflows();
  await useSystem();
});
afterAll(async () => {
  await system?.stop();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function makeWorkflows() {
  recordSecret(SECRET);
  const variable = { name: 'TOKEN', value: SECRET, scope_type: 'vault' as const };
  await account.client.call(secrets.createSecretVariable, { body: variable });
  const source = String.raw`for i in $(seq 200); do printf '{"host": "h%s", "note": "tab\\t, \\\\N and ü"}\n' $i; done`;
  workflows = {
    hosts: await makeWorkflow(account, { nodes: { 'hosts-1': script(source) } }),
    secret: await makeWorkflow(account, {
      nodes: {
        'use-1': script('printf %s "$1" | wc -c', {
          inputs: { token: { type: 'STRING', order: 1, value: '${{vars.TOKEN}}' } },
        }),
      },
    }),
    slow: await makeWorkflow(account, distributedWorkflow(CHILDREN, 1)),
  };
}

const start = async (id: string) => (await account.client.call(runs.createRun, { params: { id }, body: {} })).id;
const countSucceeded = async (id: string) =>
  (await account.client.call(runs.getRun, { params: { id } })).run_insights.succeeded;

async function useSystem() {
  const { client } = account;
  table = await makeTable(account, ['host']);
  await bindNode(account, workflows.hosts, table, 'hosts-1');
  ended = await start(workflows.hosts);
  await waitForEnd(client, ended);
  await waitForLoad(client, table, ended);
  underWay = await start(workflows.slow);
  await eventually(async () => expect(await countSucceeded(underWay)).toBeGreaterThan(3));
}

/** What users see of the run that has ended, and of its table. */
async function readResults() {
  const { client } = account;
  return {
    rows: await readRows(client, table, { order: 'host' }),
    table: await client.call(datasets.getDataset, { params: { id: table } }),
    run: await client.call(runs.getRun, { params: { id: ended } }),
    output: await readFilePort(client, ended, 'hosts-1'),
  };
}

/** Kills all processes and deletes the whole data directory. */
function loseEverything(): void {
  const pids = readdirSync(join(system.folder, 'run'))
    .filter((file) => file.endsWith('.pid'))
    .map((file) => Number(readFileSync(join(system.folder, 'run', file), 'utf8')));
  for (const pid of [system.supervisor, ...pids]) process.kill(pid, 'SIGKILL');
  for (const name of readdirSync(system.folder)) rmSync(join(system.folder, name), { recursive: true, force: true });
}

it('a backup of a running system restores everything, and a run that was under way goes on to its end', async () => {
  const before = await readResults();
  expect(before.rows).toHaveLength(200);
  expect(await system.runScript(['backup.mjs', backups])).toContain('The backup is');
  expect(await countSucceeded(underWay)).toBeLessThan(CHILDREN);
  expect(await system.runScript(['backup-verify.mjs', backups])).toContain('The backup is complete.');

  loseEverything();
  expect(await system.runScript(['restore.mjs', backups])).toContain('is restored');
  await system.runScript(['up.mjs', '--detach', '--single']);

  expect(await readResults()).toEqual(before);
  expect(await countSucceeded(underWay)).toBeLessThan(CHILDREN);
  expect(await waitForEnd(account.client, underWay)).toMatchObject({ status: 'COMPLETED', partial: false });
  expect(await readFilePort(account.client, underWay, 'gather-1')).toBe(LINES);
  const secretRun = await start(workflows.secret);
  await waitForEnd(account.client, secretRun);
  expect(await readFilePort(account.client, secretRun, 'use-1')).toBe(`${SECRET.length}\n`);
});

/** What the newest backup has, without its times: the rows of each table as text, because compressed files of equal rows may differ. */
function readNewest() {
  const backup = join(backups, readdirSync(backups).sort().at(-1) ?? '');
  const { tables, sequences, objects, migrations } = JSON.parse(
    readFileSync(join(backup, 'manifest.json'), 'utf8'),
  ) as { tables: { schema: string; name: string; rows: number }[]; [key: string]: unknown };
  const rows = tables.map(({ schema, name }) => {
    const file = readFileSync(join(backup, 'tables', `${schema}.${name}.copy.zst`));
    return [`${schema}.${name}`, zstdDecompressSync(file).toString()] as const;
  });
  return { folder: backup, tables: Object.fromEntries(rows), others: { sequences, objects, migrations } };
}

it('a restore to another Postgres and to S3 has every row and every object of the backup', async () => {
  const from = readNewest();
  const own = databaseUrl(system.folder);
  await queryDatabase(own, 'CREATE DATABASE elsewhere TEMPLATE template0');
  const { secret } = JSON.parse(readFileSync(join(from.folder, 'keys.json'), 'utf8')) as { secret: string };
  const settings = {
    ...{ MILLRACE_DATA_DIR: join(folder, 'other'), DATABASE_URL: own.replace(/millrace$/, 'elsewhere') },
    ...{ STORAGE_URL: s3.url, ...s3.credentials, MILLRACE_SECRET: secret },
    SECRETS_KEY_FILE: join(folder, 'master-keys.json'),
  };
  await system.runScript(['restore.mjs', backups], settings);
  // Objects of the first backup would be linked, so this one gets all of them from S3.
  const moved = join(folder, 'moved');
  renameSync(backups, moved);
  await system.runScript(['backup.mjs', backups, '--keys', join(folder, 'keys.json')], settings);
  const keys = ['--keys', join(folder, 'keys.json')];
  expect(await system.runScript(['backup-verify.mjs', backups, ...keys])).toContain('The backup is complete.');

  const to = readNewest();
  const changed = Object.keys(from.tables).filter((name) => to.tables[name] !== from.tables[name]);
  // A restore forgets the streams of the former NATS, and the transaction ids of the former Postgres.
  expect(changed.filter((name) => !['messaging.relayed_stream', 'contents.unused'].includes(name))).toEqual([]);
  expect(Object.keys(to.tables)).toEqual(Object.keys(from.tables));
  expect(to.others).toEqual(from.others);
});
