import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DATABASE_SERVICES, SERVICES } from '../services.mjs';
import { loadSecrets } from './load-secrets.mjs';

const folder = mkdtempSync(join(tmpdir(), 'load-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('loadSecrets', () => {
  it('creates the secrets once, readable by the owner only, and returns the same ones afterwards', () => {
    const file = join(folder, 'a.json');
    const secrets = loadSecrets(file);
    expect(Object.keys(secrets.nats)).toEqual(SERVICES);
    expect(Buffer.from(secrets.millrace, 'base64url')).toHaveLength(32);
    expect(Object.keys(secrets.database)).toEqual(DATABASE_SERVICES);
    const passwords = [secrets.postgres, secrets.redis, secrets.nats, secrets.database].flatMap((value) =>
      typeof value === 'string' ? value : Object.values(value),
    );
    expect(new Set(passwords).size).toBe(SERVICES.length + DATABASE_SERVICES.length + 2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecrets(file)).toEqual(secrets);
  });

  it('adds a password for a new service and keeps the others', () => {
    const file = join(folder, 'b.json');
    const { nats, ...rest } = loadSecrets(file);
    const { billing: _, ...others } = nats;
    writeFileSync(file, JSON.stringify({ ...rest, nats: others }));
    const again = loadSecrets(file);
    expect(again.nats).toMatchObject(others);
    expect(again.nats.billing).toBeTruthy();
    expect(again.millrace).toBe(rest.millrace);
  });

  it('does not replace secrets that it cannot read', () => {
    const file = join(folder, 'c.json');
    writeFileSync(file, '{"postgres":');
    expect(() => loadSecrets(file)).toThrow('backup');
    expect(readFileSync(file, 'utf8')).toBe('{"postgres":');
  });
});
