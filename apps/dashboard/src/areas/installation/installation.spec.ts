import { describe, expect, it } from '@jest/globals';
import type { AdminAuditEntry, AdminTask, DeadLetter, Worker } from '@millrace/client';
import type { Health } from '@millrace/contracts/kit/health';
import { findProblems, lookOfTask, progressOf } from './checks/describe-task.js';
import { chooseMatching, chooseSelected, readLetterFilter } from './dead-letters/letter-filter.js';
import { listLogLevels } from './health/list-log-levels.js';
import { summarizeHealth } from './health/summarize-health.js';
import { joinCommand } from './joining/join-command.js';
import { readInstallationSearch } from './search.js';
import { parseBytes, writeBytes } from './vaults/parse-bytes.js';
import { filterWorkers } from './workers/filter-workers.js';
import { lookOf } from './workers/worker-looks.js';

it('the address keeps known fields with a value', () => {
  expect(readInstallationSearch({ q: 'ada', page: '3', open: 'u', state: 'suspended', other: 'x', fleet: '' })).toEqual(
    {
      ...{ q: 'ada', page: 3, open: 'u', state: 'suspended' },
    },
  );
  expect(readInstallationSearch({ page: '0' })).toEqual({});
});

describe('the health of the system', () => {
  const works: Health = { status: 'ok', version: '1.2.0', checks: { postgres: 'ok' } };
  const summaryOf = (runs: Health) =>
    summarizeHealth({ version: '1.2.0', services: { runs } }).find(({ service }) => service === 'runs');

  it('names what fails, what deserves attention, and another version', () => {
    const runs: Health = {
      ...{ status: 'unavailable', version: '1.1.0' },
      checks: { postgres: 'did not respond', redis: 'ok' },
      warnings: { disk: '1 GB is free' },
    };
    expect(summaryOf(runs)).toMatchObject({
      problems: ['postgres: did not respond'],
      warnings: ['Its version is not that of the gateway, 1.2.0.', 'disk: 1 GB is free'],
    });
    expect(summaryOf(works)).toMatchObject({ problems: [], warnings: [], backlog: undefined });
  });

  it('adds up what waits, and has the age of the oldest', () => {
    const idle = { waiting: 0, active: 0, delayed: 2, failed: 0, oldestSeconds: 0 };
    const backlog = {
      outbox: { waiting: 4, oldestSeconds: 1.5 },
      queues: { mails: { ...idle, waiting: 2, oldestSeconds: 60 }, exports: { ...idle, waiting: 1 } },
      events: { 'runs-a': 5, 'runs-b': 0 },
    };
    expect(summaryOf({ ...works, backlog })?.backlog).toEqual({ relayed: 4, jobs: 3, events: 5, oldestSeconds: 60 });
  });

  it('lists a service that is missing from the report as one that does not work', () => {
    const auth = summarizeHealth({ version: '1.2.0', services: { runs: works } }).find(
      ({ service }) => service === 'auth',
    );
    expect(auth).toMatchObject({ status: 'unavailable', problems: ['is not in the report'] });
  });
});

describe('changed log levels', () => {
  const now = Date.parse('2026-11-28T12:00:00.000Z');
  const change = (service: string, level: string, minutesAgo: number, minutes: number): AdminAuditEntry => ({
    ...{ id: `${service} ${minutesAgo}`, action: 'log_level.changed', credential: 'session', target_id: service },
    details: { level, minutes },
    created_date: new Date(now - minutesAgo * 60_000).toISOString(),
  });

  it('are those that have not ended, and only the newest of each service', () => {
    const entries = [change('runs', 'info', 5, 10), change('auth', 'debug', 20, 10), change('runs', 'trace', 30, 600)];
    expect(listLogLevels(entries, now)).toEqual([
      { service: 'runs', level: 'info', until: '2026-11-28T12:05:00.000Z', by: undefined },
    ]);
  });

  it('do not include an earlier change that a shorter one has replaced', () => {
    expect(listLogLevels([change('runs', 'info', 5, 1), change('runs', 'trace', 30, 600)], now)).toEqual([]);
  });
});

describe('workers', () => {
  const worker = (host: string, more: Partial<Worker> = {}): Worker => ({
    ...{ id: `w-${host}`, host, fleet: 'default', labels: {}, sizes: ['small'], slots: 4, busy: 0, memory: null },
    ...{ version: null, isolated: true, programs: [], state: 'active' },
    ...{ started_date: '2026-11-28T00:00:00Z', last_seen: '2026-11-28T00:00:00Z', ...more },
  });
  const workers = [
    worker('b'),
    worker('a', { labels: { zone: 'EU' }, state: 'draining' }),
    worker('c', { fleet: 'blue' }),
  ];
  const hosts = (...[filter]: [Parameters<typeof filterWorkers>[1]]) =>
    filterWorkers(workers, filter).map(({ host }) => host);

  it('are in the order of fleets and machines', () => {
    expect(hosts({})).toEqual(['c', 'a', 'b']);
  });

  it('are found by machine, id and label, fleet and state', () => {
    expect(hosts({ q: 'zone=eu' })).toEqual(['a']);
    expect(hosts({ q: 'W-B' })).toEqual(['b']);
    expect(hosts({ fleet: 'blue' })).toEqual(['c']);
    expect(hosts({ fleet: 'blue', state: 'draining' })).toEqual([]);
  });

  it('are drained if they drain and run nothing', () => {
    expect(lookOf({ state: 'draining', busy: 1 }).label).toBe('Draining');
    expect(lookOf({ state: 'draining', busy: 0 }).label).toBe('Drained');
  });
});

it('the command to join accepts an address without TLS only if the user sees that', () => {
  expect(joinCommand('https://m.example.org')).toBe(
    'npx millrace-worker join https://m.example.org --token-file token',
  );
  expect(joinCommand('http://127.0.0.1:8080')).not.toContain('--allow-http');
  expect(joinCommand('http://10.0.0.7:8080')).toMatch(/--allow-http$/);
});

describe('a size', () => {
  it.each([
    ['500', 500],
    ['50 GB', 50_000_000_000],
    ['1.1gb', 1_100_000_000],
    ['0', 0],
    ['1.5 B', undefined],
    ['9 PB', 9_000_000_000_000_000],
    ['10 PB', undefined],
    ['-1', undefined],
    ['5 GiB', undefined],
    ['much', undefined],
  ])('%s is read as %s bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500_000, '1.5 MB'],
    [1_234_567, '1234567 B'],
    [50_000_000_000, '50 GB'],
  ])('of %d bytes is written so that it is read again', (bytes, text) => {
    expect(writeBytes(bytes)).toBe(text);
    expect(parseBytes(text)).toBe(bytes);
  });
});

describe('dead letters', () => {
  const letters = ['a', 'b', 'c'].map((id) => ({ id }) as DeadLetter);

  it('are chosen if they are selected and still listed', () => {
    expect(chooseSelected(letters, new Set(['b', 'gone']))).toEqual({
      ...{ body: { ids: ['b'] }, count: 1, words: '1 dead letter' },
    });
    expect(chooseSelected(letters, new Set(['gone']))).toBeUndefined();
  });

  it('are chosen by filters, but not by a search and not all of them', () => {
    const filter = readLetterFilter({ service: 'auth', kind: 'neither' });
    const newest = { failed_date: '2026-11-28T10:00:00.999Z' } as DeadLetter;
    const listed = { count: 7, results: [newest, ...letters] };
    expect(chooseMatching(filter, undefined, listed)).toMatchObject({
      body: { service: 'auth', before: '2026-11-28T10:00:01.000Z' },
      count: 7,
    });
    expect(chooseMatching(filter, 'mail', listed)).toBeUndefined();
    expect(chooseMatching({}, undefined, listed)).toBeUndefined();
    expect(chooseMatching(filter, undefined, { count: 0, results: [] })).toBeUndefined();
  });
});

describe('a task', () => {
  const task = (state: AdminTask['state'], ...statuses: ('ok' | 'violated' | 'failed')[]): AdminTask => ({
    ...{ id: 't', kind: 'check', state, violations: 0, created_date: '2026-11-28T00:00:00Z' },
    parts: [
      {
        ...{ service: 'auth', state: 'done', done: statuses.length, total: 5 },
        findings: statuses.map((status, index) => ({ name: String(index), status })),
      },
      { service: 'runs', state: 'waiting', done: 0, total: 0, findings: [] },
    ],
  });

  it('has what is violated and what could not be carried out as problems', () => {
    expect(findProblems(task('done', 'ok', 'violated', 'failed')).map(({ name }) => name)).toEqual(['1', '2']);
    expect(lookOfTask(task('done', 'ok', 'violated', 'failed'))).toMatchObject({ label: '2 problems', hue: 'failed' });
  });

  it('that is done without problems says so, and a running one does not yet', () => {
    expect(lookOfTask(task('done', 'ok')).label).toBe('Nothing found');
    expect(lookOfTask(task('running', 'ok')).label).toBe('Running');
    expect(lookOfTask(task('cancelled')).label).toBe('Cancelled');
  });

  it('adds up the progress of its services', () => {
    expect(progressOf(task('running', 'ok', 'ok'))).toEqual({ done: 2, total: 5 });
  });
});
