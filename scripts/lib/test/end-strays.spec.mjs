import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { endStrays, findStrays } from './end-strays.mjs';

it('only a server with files below the folder is a stray', () => {
  const processes = [
    { pid: 20, args: ['nats-server', '-c', '/tmp/run-1/tmp/nats.conf'] },
    { pid: 21, args: ['redis-server', '--dir=/tmp/run-1/redis'] },
    { pid: 22, args: ['nats-server', '-c', '/tmp/run-12/nats.conf'] },
    { pid: 23, args: ['ls', '/tmp/run-1'] },
    { pid: process.pid, args: ['node', '/tmp/run-1/test.mjs'] },
  ];
  expect(findStrays(processes, '/tmp/run-1').map(({ pid }) => pid)).toEqual([20, 21]);
});

it('a stray is ended', async () => {
  const folder = `/tmp/strays-of-${process.pid}`;
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', `${folder}/server.conf`]);
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  endStrays(folder);
  expect(await ended).toEqual([null, 'SIGKILL']);
});
