import { describe, expect, it } from '@jest/globals';
import { summarizePayload } from './summarize-payload.js';

describe('the summary of a payload', () => {
  it('shows ids, numbers, times and flags', () => {
    const payload = {
      vault: '01996a52-5cb0-7aaa-9f10-1a2b3c4d5e6f',
      run: '42',
      attempt: 3,
      at: '2026-01-31T12:00:00.000Z',
      final: true,
      user: null,
    };
    expect(summarizePayload(payload)).toEqual({
      ...payload,
      attempt: '3',
      final: 'true',
      user: 'null',
    });
  });

  it('shows no text that a user may have written, at any depth', () => {
    const summary = summarizePayload({ email: 'ada@example.org', nested: { password: 'hunter2' }, list: ['hunter2'] });
    expect(summary).toEqual({
      email: 'text of 15 characters',
      nested: 'object of 1 fields',
      list: 'list of 1 items',
    });
    expect(summarizePayload('hunter2')).toEqual({ value: 'text of 7 characters' });
  });
});
