import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/nats-core';
import { ConsoleLogger } from '@nestjs/common';
import { eventually } from '@millrace/testkit/eventually';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { connectionOptions } from '../wiring/messaging-options.js';
import { connectBroker } from './connect-broker.js';

let nats: PrivateNats;
beforeAll(async () => {
  nats = await privateNats();
});
afterAll(() => nats.stop());

let connection: Promise<NatsConnection>;
let warnings: string[];
beforeEach(() => {
  warnings = [];
});
afterEach(async () => (await connection).close());

/** @param password of the service `runs`; it can be changed later in the options that are returned */
function connect(password: string) {
  const options = connectionOptions({
    ...{ service: 'runs', natsUrl: nats.url, natsPassword: password, redisUrl: '', secret: '', checkResponses: true },
  });
  const logger = Object.assign(new ConsoleLogger(), { warn: (message: string) => void warnings.push(message) });
  connection = connectBroker(options, logger);
  return options;
}

describe('a service that waits for NATS', () => {
  it('says that its password is refused, once, and connects as soon as it is accepted', async () => {
    const options = connect('another password');
    const refused = `Waiting for NATS at ${new URL(nats.url).host}: it refuses the password of this service (NATS_PASSWORD)`;
    await eventually(() => expect(warnings).toEqual([refused]));
    options.pass = nats.passwords.runs;
    expect((await connection).isClosed()).toBe(false);
    expect(warnings).toEqual([refused]);
  });

  it('says that no broker listens, and connects as soon as one does', async () => {
    await nats.kill();
    connect(nats.passwords.runs);
    await eventually(() => expect(warnings).toEqual([expect.stringContaining('connection refused')]));
    await nats.start();
    expect((await connection).isClosed()).toBe(false);
  });
});
