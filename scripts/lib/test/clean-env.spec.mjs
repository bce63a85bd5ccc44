import { describe, expect, it } from '@jest/globals';
import { cleanEnv } from './clean-env.mjs';

describe('cleanEnv', () => {
  it('keeps tests away from the user’s servers and data', () => {
    const env = {
      PATH: '/bin',
      CI: 'true',
      DATABASE_URL: 'postgresql://production',
      NATS_PASSWORD_AUTH: 'x',
      MILLRACE_DATA_DIR: '/d',
      PORT: '1',
      STORAGE_URL: 's3://production',
      AWS_SECRET_ACCESS_KEY: 'x',
      SECRETS_KEY_FILE: '/k',
    };
    expect(cleanEnv(env)).toEqual({ PATH: '/bin', CI: 'true' });
  });
});
