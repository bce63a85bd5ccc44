import { describe, expect, it } from '@jest/globals';
import { expectDescribed } from './expect-described.js';

const check =
  (method: string, path: string, status: number): (() => void) =>
  () =>
    expectDescribed(method, `http://127.0.0.1:8080${path}`, status);

describe('expectDescribed', () => {
  it('accepts a response that the description lists', () => {
    expect(check('GET', '/api/spaces?page=2', 200)).not.toThrow();
    expect(check('GET', '/api/runs/7', 404)).not.toThrow();
  });

  it('rejects a response that the description does not list', () => {
    expect(check('GET', '/api/users/me', 418)).toThrow(
      'auth.users.me responded with 418, which its description does not list',
    );
    expect(check('GET', '/api/notifications/stream?after=1', 404)).toThrow('notifications.notifications.stream');
  });

  it('accepts any response of a path that the description does not have', () => {
    expect(check('PUT', '/api/spaces', 404)).not.toThrow();
    expect(check('GET', '/health/ready', 503)).not.toThrow();
  });
});
