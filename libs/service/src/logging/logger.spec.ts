import { describe, expect, it } from '@jest/globals';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';
import { Database } from '@millrace/persistence/database';
import { createLogger, NestLogger } from './logger.js';

const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1In0.${'s'.repeat(40)}`;
const OPAQUE = 'Zk3vQ9xT1mB7cN5pL2dH8sW4yR6uJ0aE9gFqKtXi';

/** Returns the log output of `write`, as text and parsed. */
function captureLog(write: (logger: NestLogger) => void) {
  const lines: string[] = [];
  write(new NestLogger(createLogger('auth', 'trace', { write: (line) => void lines.push(line) })));
  return { text: lines.join(''), entry: JSON.parse(lines[0] ?? '') as Record<string, unknown> };
}

describe('a log entry', () => {
  it('has the service, level, time, message and fields', () => {
    const { entry } = captureLog((logger) =>
      logger.warn({ message: 'Outbox relay failed; retrying', pending: 3 }, 'OutboxRelay'),
    );
    expect(entry).toMatchObject({
      service: 'auth',
      level: 'warn',
      message: 'Outbox relay failed; retrying',
      pending: 3,
      context: 'OutboxRelay',
    });
    expect(entry['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('has the fields of the work that writes it, and of the work around that', () => {
    const { entry } = withLogFields({ requestId: 'r1' }, () =>
      withLogFields({ runId: '7' }, () => captureLog((logger) => logger.debug('Step finished'))),
    );
    expect(entry).toMatchObject({ requestId: 'r1', runId: '7', message: 'Step finished' });
  });

  it.each([
    'password',
    'passwordHash',
    'access_token',
    'refresh',
    'recovery_codes',
    'device_code',
    'authorization',
    'link',
  ])('redacts the field %s at any depth', (field) => {
    const { text } = captureLog((logger) => logger.log({ message: 'm', a: [{ b: { c: { [field]: OPAQUE } } }] }));
    expect(text).toContain(`"${field}":"[redacted]"`);
    expect(text).not.toContain(OPAQUE);
  });

  it.each([
    ['a session token', JWT],
    ['an authorization header', `Bearer ${OPAQUE}`],
    ['an API token header', `token ${OPAQUE}`],
    ['the password in a server URL', `postgresql://millrace:${OPAQUE}@127.0.0.1:5432/millrace`],
    ['a link in a mail', `https://m.example/password-reset?token=${OPAQUE}`],
    ['the URL of a hook', `POST /api/hooks/${OPAQUE}`],
    ['a cookie', `cookie: session=${OPAQUE}`],
    ['the values of a row in a Postgres error', `Key (token_hash)=(${OPAQUE}) already exists.`],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${OPAQUE}\n-----END PRIVATE KEY-----\n`],
  ])('redacts %s in the message, a field or an error', (_, secret) => {
    for (const logInput of [
      secret,
      { message: 'm', field: [secret] },
      new Error(secret, { cause: new Error(secret) }),
    ]) {
      const { text } = captureLog((logger) => logger.error(logInput));
      expect(text).not.toContain(OPAQUE);
      expect(text).not.toContain('eyJzdWIi');
      expect(text).toContain('[redacted]');
    }
  });

  it('has the useful fields of an error, and none that quotes parameters', () => {
    const error = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
      code: '23505',
      constraint: 'user_email_key',
      detail: OPAQUE,
      command: { name: 'auth', args: [OPAQUE] },
      config: { headers: [OPAQUE] },
    });
    const { text, entry } = captureLog((logger) => logger.error({ message: 'Operation handler failed', error }));
    expect(entry['error']).toMatchObject({
      type: 'Error',
      message: 'duplicate key',
      code: '23505',
      constraint: 'user_email_key',
      cause: { message: 'below' },
    });
    expect(text).toContain('logger.spec');
    expect(text).not.toContain(OPAQUE);
  });

  it('omits the arguments that Prisma prints when it rejects a call', async () => {
    // Prisma rejects the call before it connects.
    const database = new Database({ url: 'postgresql://127.0.0.1:1/none', service: 'auth', connections: 1 });
    const data = { id: OPAQUE, name: OPAQUE, nowhere: OPAQUE };
    const error = await database.client.vault.create({ data }).catch((reason: unknown) => reason as Error);
    await database.close();
    expect((error as Error).message).toContain(OPAQUE);
    for (const logInput of [error, { message: 'Operation handler failed', error }]) {
      const { text } = captureLog((logger) => logger.error(logInput));
      expect(text).toContain('Unknown argument `nowhere`');
      expect(text).toContain('logger.spec');
      expect(text).not.toContain(OPAQUE);
    }
  });

  it('may contain circular references', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(captureLog((logger) => logger.log({ message: 'm', loop })).text).toContain('[deeper]');
  });

  it.each([
    'Token expired for session 018f, it was renewed',
    'https://m.example/runs/7?page=2&page_size=50',
    'nats://127.0.0.1:4222',
    'Key (id) is not present in table "vault"',
  ])('leaves harmless text unchanged: %s', (text) => {
    expect(captureLog((logger) => logger.log(text)).entry['message']).toBe(text);
  });
});
