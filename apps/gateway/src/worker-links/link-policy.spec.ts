import { describe, expect, it } from '@jest/globals';
import type { WorkerGrant } from '@millrace/contracts/auth/join';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { heartbeats, openVariables, receiveReports, reportInputs } from '@millrace/contracts/runs/engine';
import { sandboxHosts } from '@millrace/contracts/runs/sandbox-hosts';
import { findViolation } from './link-policy.js';

const ID = 'j-0123456789abcdef';
const OTHER = 'j-fedcba9876543210';
const GRANT: WorkerGrant = { id: ID, fleet: 'gpu', labels: { gpu: 'true', zone: 'eu' }, sizes: ['small', 'large'] };

const publish = (subject: string, payload: unknown, reply: string | null = null) =>
  findViolation(
    { kind: 'publish', subject, reply, payload: Buffer.from(JSON.stringify(payload)), bytes: Buffer.alloc(0) },
    GRANT,
  );
const subscribe = (subject: string) =>
  findViolation({ kind: 'subscribe', subject, id: '1', bytes: Buffer.alloc(0) }, GRANT);
const call = (operation: { name: string }, body: unknown) =>
  publish(subjectOf(operation), { data: { body } }, `_INBOX_worker.${ID}.1`);
const beat = (more: object = {}) =>
  publish(heartbeats.subject, {
    ...{ worker: `${ID}-0a1b2c3d`, host: 'h', slots: 2, dispatches: [], replaces: null, fleet: 'gpu' },
    ...{ labels: { gpu: 'true' }, sizes: ['small'], ...more },
  });

describe('a joined worker', () => {
  it('sends heartbeats and reports in its own name', () => {
    expect(beat()).toBeNull();
    expect(beat({ replaces: `${ID}-00000000` })).toBeNull();
    expect(beat({ labels: { gpu: 'true', executor: 'docker' } })).toBeNull();
    expect(call(receiveReports, { worker: `${ID}-0a1b2c3d`, reports: [] })).toBeNull();
    expect(publish(sandboxHosts.subject, { worker: `${ID}-0a1b2c3d` })).toBeNull();
    expect(call(reportInputs, { run: '1', inputs: [], problems: [] })).toBeNull();
  });

  it.each([
    ['in the name of another worker', { worker: `${OTHER}-0a1b2c3d` }],
    ['in the name of a worker of the installation', { worker: 'w-0123456789abcdef' }],
    ['in the name of a worker whose id begins like its own', { worker: `${ID}0-0a1b2c3d` }],
    ['that replaces another worker', { replaces: 'w-0123456789abcdef' }],
    ['with another fleet', { fleet: 'default' }],
    ['with a label that it was not granted', { labels: { zone: 'us' } }],
    ['with a size that it was not granted', { sizes: ['medium'] }],
    ['without a worker', { worker: 7 }],
  ])('sends no heartbeat %s', (_, change) => {
    expect(beat(change)).toContain('Permissions Violation for Publish');
  });

  it.each([
    ['reports', receiveReports],
    ['requests for variables', openVariables],
  ])('sends no %s of another worker', (_, operation) => {
    expect(call(operation, { worker: `${OTHER}-1` })).toContain('Permissions Violation');
    expect(call(operation, undefined)).toContain('Permissions Violation');
  });

  it('sends no request without a reply subject', () => {
    const request = { data: { body: { worker: `${ID}-0a1b2c3d`, reports: [] } } };
    expect(publish(subjectOf(receiveReports), request)).toContain('Permissions Violation for Publish');
    expect(publish(`${heartbeats.subject}.x`, {})).toContain('Permissions Violation for Publish');
    expect(publish('_INBOX_gateway.1', {})).toBeNull();
  });

  it('receives what is addressed to it, and signals to all workers', () => {
    for (const subject of [
      `_INBOX_worker.${ID}.x.*`,
      `rpc.worker.logs.read.${ID}-0a1b2c3d`,
      'sig.worker.cancel',
      'rpc.worker.health.check',
    ])
      expect(subscribe(subject)).toBeNull();
  });

  it.each([
    ...[
      '_INBOX_worker.>',
      `_INBOX_worker.${OTHER}.>`,
      `_INBOX_worker.${ID}`,
      '>',
      '*',
      'rpc.worker.>',
      'rpc.worker.logs.read.*',
    ],
    ...[`rpc.worker.logs.read.${OTHER}-1`, 'rpc.worker.logs.read.w-0123456789abcdef', '_INBOX_runs.>', 'evt.>'],
  ])('does not subscribe to %s', (subject) => {
    expect(subscribe(subject)).toContain('Permissions Violation for Subscription');
  });
});
