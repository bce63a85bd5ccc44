import { expect, it } from '@jest/globals';
import { NoRespondersError } from '@nats-io/nats-core';
import { explainOutage } from './explain-outage.js';

const coded = (message: string, fields: object) => Object.assign(new Error(message), fields);

it.each([
  ['a disk of the operating system', coded('ENOSPC: no space left on device, write', { code: 'ENOSPC' })],
  ['a disk quota', coded('EDQUOT: disk quota exceeded', { code: 'EDQUOT' })],
  ['the disk of Postgres', coded('could not extend file "base/1/2": No space left on device', { code: '53100' })],
  ['the disk of Redis', new Error('MISCONF Errors writing to the AOF file: No space left on device')],
  ['the disk of JetStream', coded('insufficient storage resources available', { code: 10047 })],
  [
    'the disk of Postgres, as Prisma wraps it',
    coded('Raw query failed', { meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '53100' } } } }),
  ],
])('explainOutage maps a full disk to storage_full: %s', (_title, error) => {
  expect(explainOutage(error)).toMatchObject({ code: 'storage_full', status: 507 });
});

it.each([
  ['a refused connection', coded('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' })],
  ['several refused connections', new AggregateError([coded('', { code: 'ECONNREFUSED' })])],
  ['a Postgres that shuts down', coded('terminating connection due to administrator command', { code: '57P01' })],
  ['a Postgres that starts', coded('the database system is starting up', { code: '57P03' })],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a Redis that starts', new Error('LOADING Redis is loading the dataset in memory')],
  ['a service without a process', new NoRespondersError('rpc.x')],
  ['an error whose cause is such', new Error('no', { cause: coded('read ECONNRESET', { code: 'ECONNRESET' }) })],
])('explainOutage maps an outage to unavailable with a retry delay: %s', (_title, error) => {
  expect(explainOutage(error)).toMatchObject({ code: 'unavailable', status: 503, details: { retry_after: 5 } });
});

it('explainOutage returns null for bugs and constraint violations', () => {
  const loop = coded('a loop', {});
  loop.cause = loop;
  for (const error of [
    new TypeError('x is not a function'),
    coded('duplicate key', { code: '23505' }),
    loop,
    null,
    'x',
  ]) {
    expect(explainOutage(error)).toBeNull();
  }
});

it('explainOutage maps contents that were deleted meanwhile to unavailable, so that the client sends them again', () => {
  const error = Object.assign(new Error('1 stored objects have been deleted'), { name: 'ContentsGoneError' });
  expect(explainOutage(error)).toMatchObject({ code: 'unavailable', status: 503, details: { retry_after: 5 } });
});
