import { describe, expect, it } from '@jest/globals';
import { DATABASE_SERVICES } from '../services.mjs';
import { databaseLogins } from './database-logins.mjs';

const ownerUrl = 'postgresql://owner:hidden@db.example:6432/millrace?sslmode=verify-full';
const secrets = { database: Object.fromEntries(DATABASE_SERVICES.map((name) => [name, `pg-of-${name}`])) };

describe('databaseLogins', () => {
  it('gives each service a role of its own on the server of the owner, and nothing of the owner', () => {
    const logins = databaseLogins({ env: {}, ownerUrl, secrets });
    expect(Object.keys(logins)).toHaveLength(DATABASE_SERVICES.length);
    expect(logins['DATABASE_URL_AUTH']).toBe(
      'postgresql://millrace_auth:pg-of-auth@db.example:6432/millrace?sslmode=verify-full',
    );
    expect(JSON.stringify(logins)).not.toMatch(/owner|hidden/);
  });

  it('uses the URL that the user sets for a service', () => {
    const own = 'postgresql://team_a_auth:x@db.example/millrace';
    expect(databaseLogins({ env: { DATABASE_URL_AUTH: own }, ownerUrl, secrets })).toMatchObject({
      DATABASE_URL_AUTH: own,
      DATABASE_URL_RUNS: expect.stringContaining('millrace_runs'),
    });
  });
});
