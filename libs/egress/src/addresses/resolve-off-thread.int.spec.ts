import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';
import { AllowList } from './allow-list.js';
import type { Resolve } from './guarded-lookup.js';
import { resolveOffThread } from './resolve-off-thread.js';

const NXDOMAIN = 3;
let server: Socket;
let servers: string[];
let resolve: Resolve;
beforeAll(async () => {
  server = createSocket('udp4').on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const [{ name, type } = { name: '', type: 'A' }] = questions;
    if (name.endsWith('.silent.test')) return;
    const answers = RECORDS.filter((record) => record.name === name && record.type === type);
    const isKnown = RECORDS.some((record) => record.name === name);
    const flags = AUTHORITATIVE_ANSWER | (isKnown ? 0 : NXDOMAIN);
    server.send(encode({ type: 'response', id, flags, questions, answers }), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
  resolve = resolveOffThread(AllowList.read('*'), servers);
});
afterAll(() => new Promise<void>((done) => server.close(() => done())));

const RECORDS: Answer[] = [
  { type: 'A', name: 'both.test', data: '192.0.2.1' },
  { type: 'A', name: 'both.test', data: '192.0.2.2' },
  { type: 'AAAA', name: 'both.test', data: '2001:db8::1' },
  { type: 'AAAA', name: 'six.test', data: '2001:db8::6' },
];

const lookUp = (host: string, resolver = resolve): Promise<string[]> =>
  new Promise((done, fail) =>
    resolver(host, (error, found) => (error ? fail(error) : done(found.map(({ address }) => address).sort()))),
  );

it('resolveOffThread returns all addresses of a name, of both families', async () => {
  expect(await lookUp('both.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  expect(await lookUp('six.test')).toEqual(['2001:db8::6']);
});

it('resolveOffThread finds names that only the hosts file contains', async () => {
  expect(await lookUp('localhost')).toContain('127.0.0.1');
  await expect(lookUp('unknown.test')).rejects.toMatchObject({ code: expect.stringMatching('ENOTFOUND|EAI_AGAIN') });
});

it('resolveOffThread lets the machine resolve an unknown name only if the operator allows it', async () => {
  const withAllowedName = resolveOffThread(AllowList.read('*,named.unknown.test'), servers);
  const refusal = { code: expect.stringMatching('ENOTFOUND|EAI_AGAIN') };
  await expect(lookUp('named.unknown.test', withAllowedName)).rejects.toMatchObject({
    ...refusal,
    syscall: 'getaddrinfo',
  });
  await expect(lookUp('other.unknown.test', withAllowedName)).rejects.toMatchObject({
    code: 'ENOTFOUND',
    syscall: 'queryA',
  });
});

it('resolveOffThread does not delay other names if a name server does not respond', async () => {
  const failureCodes: string[] = [];
  const silent = Array.from({ length: 8 }, (_, at) =>
    lookUp(`${at}.silent.test`).catch((error: { code: string }) => void failureCodes.push(error.code)),
  );
  await lookUp('both.test');
  expect(failureCodes).toEqual([]);
  await Promise.all(silent);
  expect(failureCodes).toEqual(Array(8).fill('ETIMEOUT'));
});
