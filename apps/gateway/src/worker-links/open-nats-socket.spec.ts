import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { openNatsSocket } from './open-nats-socket.js';

it.each<[string, (socket: Socket) => void]>([
  ['closes the connection before it introduces itself', (socket) => socket.end()],
  ['says nothing', () => undefined],
])('a server that %s is given up', async (_, answer) => {
  const server = createServer({ allowHalfOpen: true }, answer).listen(0, '127.0.0.1');
  const connections: Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  await once(server, 'listening');
  const natsUrl = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(openNatsSocket({ service: 'worker', natsUrl, redisUrl: '', checkResponses: true })).rejects.toThrow(
    'NATS does not respond',
  );
  for (const socket of connections) socket.destroy();
  server.close();
});
